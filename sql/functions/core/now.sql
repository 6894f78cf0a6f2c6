-- The instant, by the database's clock: the only clock that a decision reads.
--
-- Keeps:  time stands still only where the owner has marked the installation as a test, and there
--         only while the setting striatum.test_now holds an instant
create function striatumd.now() returns timestamptz
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  v_stopped_at text := nullif(current_setting('striatum.test_now', true), '');
begin
  if v_stopped_at is not null
     and exists (select from striatumd.installation where kind = 'test') then
    return v_stopped_at::timestamptz;
  end if;
  return clock_timestamp();
end
$$;
