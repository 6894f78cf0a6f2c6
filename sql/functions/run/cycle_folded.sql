-- The columns of a revision cycle that its events carry; its id is the review's.
create function striatumd.cycle_folded(p striatumd.job_cycles) returns jsonb
  language plpgsql immutable parallel safe
as $$
begin
  return pg_catalog.jsonb_build_object(
    'to_job_id', (p).to_job_id,
    'max_iterations', (p).max_iterations,
    'iterations', (p).iterations);
end
$$;
