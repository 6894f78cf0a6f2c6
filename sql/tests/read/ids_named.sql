-- What a name stands for.
begin;
select plan(7);

-- given: two runs of one repository, one of another
select tap.open_door();
select tap.authorize();
select tap.run_stage(), tap.run_stage('s'), tap.run_stage('far', 'next');
select tap.session('ann', 'author');
update striatumd.runs set created_at = created_at + interval '1 hour'
 where run_id = tap.id('run', 's');
create function pg_temp.named(p_name text) returns text[] language sql as $$
  select striatumd.ids_named(tap.id('repo', 'app'), p_name)
$$;

-- does
select is(pg_temp.named('author-author-1'), array[tap.id('sess', 'ann')], 'a session');
select is(pg_temp.named('draft'), array[tap.id('job', 's.draft'), tap.id('job', 'r.draft')],
  'a job of each run that goes on, the newest first');
select is(tap.after($$ select tap.ended('s', 'canceled') $$, $$ select pg_temp.named('draft') $$),
  array[tap.id('job', 'r.draft')]::text, 'of those that go on alone');
select tap.ended('r', 'canceled'), tap.ended('s', 'canceled');
select is(pg_temp.named('draft'), array[tap.id('job', 's.draft')],
  'where none does, of the newest');
select is(pg_temp.named('nothing'), '{}', 'a name of nothing');
select is(pg_temp.named(null), '{}', 'nor no name');

-- around
select set_config('striatum.daemon_auth', '', true);
select is(pg_temp.named('draft'), array[tap.id('job', 's.draft')], 'it reads, and no more');

select * from finish();
rollback;
