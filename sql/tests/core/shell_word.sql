-- A word that a shell reads back as it was.
begin;
select plan(12);

select is(striatumd.shell_word(text), text, 'plain: ' || text)
  from unnest(array['/srv/app', 'a-b_c.d', 'key=1,2:3@4%5+6']) as text;
select is(striatumd.shell_word(text), word, 'quoted: ' || word)
  from (values ('/srv/my app', '''/srv/my app'''), ('$(touch x)', '''$(touch x)'''),
    ('x;reboot', '''x;reboot'''), ('`id`', '''`id`'''), ('it''s', '''it''\''''s'''), ('', ''''''),
    ('/srv/grün', '''/srv/grün'''),
    (E'a\nrm -rf b', '$''a\nrm -rf b'''), (E'a\\\t''b', '$''a\\\t\''b''')) as told (text, word);

select * from finish();
rollback;
