-- The line by which a session signs.
-- STR-BYLINE-04: role, model and ordinal, in lower case. STR-BYLINE-05: an operator's without.
begin;
select plan(7);

-- given
select tap.open_door();
select tap.authorize();
select tap.run_stage();
select tap.session('s1', 'author');
select tap.session('s2', 'author');
select tap.session('s3', 'reviewer');
create function pg_temp.line(p_session text, p_is_attested boolean default true) returns text
  language sql as $$ select striatumd.author_line(tap.id('sess', p_session), p_is_attested) $$;
create function pg_temp.lane(p_lane jsonb) returns void language sql as $$
  alter table striatumd.workflow_snapshots disable trigger append_only;
  update striatumd.workflow_snapshots
     set workflow = jsonb_set(workflow, '{lanes,author}', p_lane);
$$;

-- does
select is(pg_temp.line('s1'), 'author: author-m-author-001', 'role, model, ordinal');
select is(pg_temp.line('s2'), 'author: author-m-author-002', 'of its role and lane');
select is(pg_temp.line('s3'), 'author: reviewer-m-reviewer-001', 'each by its own');
select is(pg_temp.line('s1', false), 'author: operator', 'unattested, the operator''s');
update striatumd.sessions set operator_label = 'night.shift'
 where session_id = tap.id('sess', 's1');
select is(pg_temp.line('s1', false), 'author: operator-self-declared-night.shift',
  'with the label that was declared');

-- at the boundary
select pg_temp.lane('{"display_model": "Some Model 4.5 (Large)"}');
select is(pg_temp.line('s1'), 'author: author-some-model-4.5-large-001',
  'a name for display becomes one word');
select pg_temp.lane('{"adapter": "process"}');
select is(pg_temp.line('s1'), 'author: author-author-001',
  'of a lane without a model, the lane''s name');

select * from finish();
rollback;
