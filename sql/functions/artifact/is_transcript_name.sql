-- Whether a name is that of what a terminal or a provider printed, which is never an artifact.
create function striatumd.is_transcript_name(p_name text) returns boolean
  language sql immutable parallel safe
as $$
  select pg_catalog.lower(p_name) ~
    '(^|[._:-])(std(out|err)|transcripts?|(raw|provider|terminal)[._:-]?outputs?)([._:-]|$)'
$$;
