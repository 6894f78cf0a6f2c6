-- How a review is to be done.
-- STR-REVIEW-04: an access sentence and a context sentence, where either is declared.
-- STR-REVIEW-06: a posture adds its own; a custom one has none.
begin;
select plan(15);

create function pg_temp.policy(p jsonb) returns jsonb language sql as $$
  select striatumd.packet_review_policy(p)
$$;
select is(pg_temp.policy('{"type": "review"}'), null, 'nothing where nothing is declared');
select is(pg_temp.policy('{"reviewer_access_scope": "document_only",
    "reviewer_context_policy": "fresh"}'), '{"access_scope": "document_only",
  "context_policy": "fresh", "instruction":
  "Judge by the declared inputs alone. Use nothing from earlier rounds."}', 'both, in sentences');
select is(pg_temp.policy('{"reviewer_context_policy": "cross_round"}'), '{"context_policy":
  "cross_round", "instruction": "Take what earlier rounds found into account."}', 'or one');
select is(pg_temp.policy('{"reviewer_access_scope": "repo_level", "review_posture": "security"}'),
  '{"access_scope": "repo_level", "posture": "security", "instruction": "Judge by the inputs, and '
  'by anything in the repository. Look for what an attacker could use."}', 'with a posture');
select is(pg_temp.policy('{"review_posture": "custom:poetry"}'), '{"posture": "custom:poetry",
  "instruction": ""}', 'a custom one has no sentence');
select isnt(pg_temp.policy(jsonb_build_object('review_posture', posture)) ->> 'instruction', '',
  'the posture ' || posture || ' has one')
  from unnest(array['neutral', 'devils_advocate', 'security', 'threat_model',
    'latency_performance', 'ergonomics_dx', 'accessibility', 'compliance_license',
    'supply_chain']) as posture;
select isnt(pg_temp.policy('{"reviewer_access_scope": "artifact_augmented"}') ->> 'instruction', '',
  'and each access');

select * from finish();
rollback;
