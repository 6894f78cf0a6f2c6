-- A word that a shell reads back as it was.
begin;
select plan(15);

select is(striatumd.shell_word(text), text, 'plain: ' || text)
  from unnest(array['/srv/app', 'a-b_c.d', 'key=1,2:3@4%5+6']) as text;
select is(striatumd.shell_word(text), word, 'quoted: ' || word)
  from (values ('/srv/my app', '''/srv/my app'''), ('$(touch x)', '''$(touch x)'''),
    ('x;reboot', '''x;reboot'''), ('`id`', '''`id`'''), ('it''s', '''it''\''''s'''), ('', ''''''),
    ('/srv/grün', '''/srv/grün'''),
    (E'a\nrm -rf b', '$''a\nrm -rf b'''), (E'a\\\t''b', '$''a\\\t\''b'''),
    (E'\r\x1b[2J\x7fz', '$''\x0d\x1b[2J\x7fz'''),
    (chr(155) || '1', '''' || chr(155) || '1''')) as told (text, word);

-- at the boundary
select is(string_agg(chr(c), '' order by c),
    '%+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
    'these alone stand as they are, and no other that a shell might see something in')
  from generate_series(1, 127) as c where striatumd.shell_word(chr(c)) = chr(c);

select * from finish();
rollback;
