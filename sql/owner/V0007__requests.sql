-- A request on its way through the door: what a method is told, what it decides, the reply that is
-- kept for a repeated request, and the effects that a decision orders.

-- What a method may rely on. Everything in it is proven, or observed by the daemon.
create type striatumd.call_context as (
  client_id     text,
  principal_id  text,
  session_id    text,
  repository_id text,
  run_id        text,
  capabilities  striatumd.capability[],   -- that hold in this call's repository, or globally
  request_id    text,
  observed      jsonb,                    -- a fact an observer
  at            timestamptz               -- the instant of the call, taken after the locks
);

create type striatumd.decision as (
  data    jsonb,
  refusal jsonb,                          -- set: refused, and the changes are kept
  events  jsonb,                          -- in the order in which they join the chains
  effects jsonb,                          -- [{kind, args}]
  wakes   jsonb
);

-- The reply of a request that changed something.
create table striatumd.command_requests (
  client_id     text not null,
  request_id    text not null,
  principal_id  text,
  repository_id text,                     -- null: of the daemon as a whole
  method        text not null,
  params_sha256 striatumd.sha256_hex not null,
  reply         striatumd.stored_reply not null,  -- {ok, data | error}
  stored_at     timestamptz not null,
  constraint command_requests_one_a_request primary key (client_id, request_id)
);

create type striatumd.effect_state as enum ('planned', 'done', 'failed', 'abandoned');

-- A change of the world that a decision ordered. `kind` is the state that it makes true.
create table striatumd.effects (
  effect_id     striatumd.effect_id not null,
  kind          text not null,
  args          jsonb not null,
  repository_id text,
  client_id     text not null,            -- whose request ordered it
  request_id    text not null,
  state         striatumd.effect_state not null,
  attempts      integer not null,         -- how many ended
  not_before    timestamptz not null,
  planned_at    timestamptz not null,
  finished_at   timestamptz,
  problem       text,                     -- of the last attempt that failed
  constraint effects_are_distinct primary key (effect_id),
  constraint effects_kind_is_a_word check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  constraint effects_args_is_an_object check (jsonb_typeof(args) = 'object'),
  constraint effects_attempts_count check (attempts >= 0),
  constraint effects_planned_was_never_tried check (state <> 'planned' or attempts = 0),
  constraint effects_finished_has_an_instant
    check ((state in ('done', 'abandoned')) = (finished_at is not null)),
  constraint effects_failure_has_a_problem
    check (state not in ('failed', 'abandoned') or problem is not null),
  constraint effects_problem_is_short check (length(problem) <= 1000)
);
create index effects_due on striatumd.effects (not_before)
  where state in ('planned', 'failed');
create index effects_of_a_request on striatumd.effects (client_id, request_id);
