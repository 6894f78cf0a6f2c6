-- Why a branch could not be made, and what to do then.
-- STR-BRANCH-03: the run waits, and a confirmation by hand with another name works.
begin;
select plan(7);

-- given
select tap.open_door(), tap.authorize(), tap.run_stage(), tap.run_stage('s');
update striatumd.runs set state = 'needs_branch_confirmation', started_at = null;
create function pg_temp.effect(p_state text, p_run text default 'r', p_branch text default 'r')
  returns text language sql as $$
  select tap.row_of('effects', jsonb_build_object('effect_id', 'eff_0000000000000001',
    'kind', 'branch_present', 'client_id', 'c', 'request_id', 'q', 'state', p_state,
    'args', jsonb_build_object('run_id', tap.id('run', p_run), 'branch', 'striatum/' || p_branch),
    'attempts', 1, 'not_before', now(), 'planned_at', now(),
    'finished_at', case when p_state in ('done', 'abandoned') then now() end,
    'problem', 'git cannot'), '{}')
$$;
create function pg_temp.after(p_effect text) returns text language sql as $$
  select tap.after(p_effect, $sql$ select concat_ws(' | ', striatumd.branch_problem(r),
      replace(striatumd.branch_command(r), run_id, 'R'))
    from striatumd.runs r where run_id = tap.id('run', 'r') $sql$)
$$;

-- does
select is(pg_temp.after('select 1'), 'striatum branch confirm R', 'nothing was tried');
select is(pg_temp.after(pg_temp.effect('abandoned')),
  'git cannot | striatum branch confirm R --branch-name NAME', 'what git cannot make needs a name');
select is(pg_temp.after(pg_temp.effect('failed')), 'striatum branch confirm R',
  'it is tried again');
select is(pg_temp.after(pg_temp.effect('abandoned', 's')), 'striatum branch confirm R',
  'another run''s is not its own');
select is(pg_temp.after(pg_temp.effect('abandoned', 'r', 'other')), 'striatum branch confirm R',
  'nor is that of another name');

-- does: whoever asks is told
do $$ begin execute pg_temp.effect('abandoned'); end $$;
select is(tap.ask('ada', 'run.start', jsonb_build_object('repository_id', tap.id('repo', 'app'),
    'run_id', tap.id('run', 'r'))) #>> '{error,next,0}', format(
  'striatum branch confirm %s --branch-name NAME', tap.id('run', 'r')), 'who starts it');
select is(striatumd.why_run(tap.id('run', 'r')) - 'next' || jsonb_build_object('next',
    striatumd.why_run(tap.id('run', 'r')) #> '{next,0}'), jsonb_build_object('waits_for', array[
  'its branch could not be made: git cannot'], 'next', format(
  'striatum branch confirm %s --branch-name NAME', tap.id('run', 'r'))), 'and who asks why');

select * from finish();
rollback;
