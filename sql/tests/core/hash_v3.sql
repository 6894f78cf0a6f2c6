-- STR-AUTHZ-12: the canonical form. daemon/tests runs every vector of contract/vectors through it.
begin;
select plan(8);

select is(
  striatumd.hash_v3('2026-11-30T00:00:00Z', '1', '3', '0.1.0', null, null, 'daemon.hello',
    'allowed', null, 'rpc', 'r-1', null,
    '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', null, '1'),
  'b290f1b297779239a4223bbd59c0e4ed611317eff8700a74613e2851f23c1714', 'the first audit vector');
select is(
  striatumd.hash_v3(null, 'repo_1', '1', 'run_1', 'run.prepared', null, null, null, null, null,
    '{"state": "ready"}', '2026-11-30T00:00:00Z'),
  '8f139baed7651dc09e8302602bc36b5bd9d270836f54ebe93b189c46af191fcd', 'the first event vector');

select is(striatumd.hash_v3(null), encode(sha256('-1:'), 'hex'), 'null is -1:');
select is(striatumd.hash_v3(''), encode(sha256('0:'), 'hex'), 'the empty text is 0:');
select is(striatumd.hash_v3('-1:'), encode(sha256('3:-1:'), 'hex'), 'the text -1: is neither');
select is(striatumd.hash_v3(E'\u00e9'), encode(sha256('\x323ac3a9'), 'hex'),
  'octets are counted, not characters');
select isnt(striatumd.hash_v3('ab', 'c'), striatumd.hash_v3('a', 'bc'), 'no boundary can be moved');

-- around: a path of the caller's that puts other functions and operators first
select tap.set_trap();
set local search_path = trap, pg_catalog;
create temp table said as select striatumd.hash_v3('a', null) as text;
set local search_path = tap, public;
select is((select text from said), encode(sha256('1:a-1:'), 'hex'), 'none of them is heard');

select * from finish();
rollback;
