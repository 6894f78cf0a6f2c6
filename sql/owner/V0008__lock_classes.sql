-- Locks of runs. A method of a run locks its repository (shared) and then the run; where the run's
-- id comes from, the class says. What names the run never changes, so it is read before the lock.

alter type striatumd.lock_class add value 'run';             -- params.run_id
alter type striatumd.lock_class add value 'session';         -- params.session_id, else the token's
alter type striatumd.lock_class add value 'job';             -- params.job_id
alter type striatumd.lock_class add value 'blocker';         -- params.blocker_id
alter type striatumd.lock_class add value 'supervisor';      -- params.supervisor_id
alter type striatumd.lock_class add value 'repository_run';  -- params.run_id; repository alone
