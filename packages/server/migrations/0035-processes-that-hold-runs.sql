-- The server processes that are registered: each adds itself when it starts and goes when it is asked to stop. A row whose process is
-- gone is the row of one that was killed or crashed.
create table processes (
  id            uuid primary key,
  -- The boot of the machine and the PID namespace within which pid and started identify a process; empty where they are unknown.
  host          text not null,
  pid           integer not null,
  -- When the operating system started it, so that another process with the same pid is told apart.
  started       text not null,
  created_at    timestamptz not null,
  -- When another host found that it has no session with the database; null again when it is back.
  missing_since timestamptz
);

alter table executions
  -- The process that holds the current attempt.
  add column process_id uuid,
  -- Attempts that were taken over because their leases had lapsed, by number, each with its process. A process that only stood still
  -- takes its attempt out again.
  add column lost_attempts jsonb not null default '{}',
  -- The attempt of the job under which the current run started: an earlier one may not start a run any more.
  add column job_attempt integer not null default -1;
-- executions.deaths is no longer read or written. It stays until no process of an earlier version can be running.
