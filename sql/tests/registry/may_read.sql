-- Whether a client may read in a repository.
begin;
select plan(9);

-- given
select tap.open_door(), tap.authorize();
select tap.client('all', '{read}');
select tap.client('app', '{read}', 'repo_app');
select tap.client('writer', '{write, review, claim, apply, admin, recovery, surgical_recovery}');
select tap.client('former', '{read}');
update striatumd.client_capabilities set revoked_at = '2026-01-02Z'
 where client_id = tap.client_id('former');
create function pg_temp.may(p_client text, p_repository text) returns boolean language sql as $$
  select striatumd.may_read(tap.client_id(p_client), p_repository)
$$;

-- does
select is(pg_temp.may('all', 'repo_app'), true, 'granted for all, it holds for each');
select is(pg_temp.may('all', null), true, 'and for none');
select is(pg_temp.may('app', 'repo_app'), true, 'granted for one, it holds there');
select is(pg_temp.may('app', 'repo_other'), false, 'and not elsewhere');
select is(pg_temp.may('app', 'repo_ap'), false, 'not even under half of its name');
select is(pg_temp.may('app', null), false, 'nor for none');
select is(pg_temp.may('writer', 'repo_app'), false, 'no other capability reads');
select is(pg_temp.may('former', 'repo_app'), false, 'what was taken back does not hold');
select is(pg_temp.may('nobody', 'repo_app'), false, 'a client that there is not may not');

select * from finish();
rollback;
