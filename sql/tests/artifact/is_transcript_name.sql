-- Which names are those of transcripts.
begin;
select plan(14);

select is(striatumd.is_transcript_name(name), true, name || ' is one') from unnest(array['stdout',
  'STDERR', 'transcript', 'agent.transcripts', 'raw_output', 'raw-output', 'provider_output',
  'terminal.output.1', 'run:stdout']) as name;
select is(striatumd.is_transcript_name(name), false, name || ' is none') from unnest(array['draft',
  'output', 'transcription', 'stdouts', 'test_report']) as name;

select * from finish();
rollback;
