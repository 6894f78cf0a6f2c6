-- How the agent of a session ended.
-- B045: one that exits with 0 and has handed nothing in is told apart from one that failed.
begin;
select plan(6);

-- given
select tap.open_door();
select tap.run_stage();
select tap.session('ann', 'author', p_supervisor => 'stopped');
select tap.session('bare', 'author', 'r', null);
create function pg_temp.end_of(p_change text) returns text language sql as $$
  select tap.after('update striatumd.process_supervisors set ' || p_change,
    $sql$ select concat_ws(' ', e ->> 'ended', e ->> 'exit_code', e ->> 'exit_signal')
            from striatumd.owner_end(tap.id('sess', 'ann')) as e $sql$)
$$;

-- does
select is(pg_temp.end_of('exit_code = 0'), 'exited_without_result 0', 'as if all were done');
select is(pg_temp.end_of('exit_code = 3'), 'exited_with_error 3', 'with an error');
select is(pg_temp.end_of('exit_signal = 9'), 'ended_by_signal 9', 'by a signal');
select is(pg_temp.end_of('state = ''lost'''), 'lost', 'nobody knows how');
select is(striatumd.owner_end(tap.id('sess', 'ann')) ->> 'terminal_log',
  format('.striatum/scratch/%s/pty.log', tap.id('sup', 'ann')), 'and where its last words are');
select is(striatumd.owner_end(tap.id('sess', 'bare')), '{}', 'of one without an agent nothing');

select * from finish();
rollback;
