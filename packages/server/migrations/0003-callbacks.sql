-- Where the ends of an execution are told to.
alter table executions add column callback_url text;

-- What is told of an execution, once for each end or pause: written by the transaction that moved it, the bytes included.
create table callbacks (
  workspace_id     uuid not null,
  execution_id     uuid not null,
  n                integer not null,
  event            text not null check (event in ('completed', 'failed', 'paused')),
  url              text not null,
  webhook_id       text not null,
  body             bytea not null,
  state            text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- Counts the jobs that were made for it. Only the newest may send and write.
  job_number       integer not null default 1,
  -- Tries since it was made or last sent again by hand, and when the first of them began.
  round_tries      integer not null default 0,
  round_started_at timestamptz,
  next_try_at      timestamptz,
  -- [{at, status, duration_ms, error}], oldest first.
  tries            json not null default '[]',
  created_at       timestamptz not null,
  primary key (workspace_id, execution_id, n),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);

-- What callbacks of a workspace are signed with. After a change the one before signs too for a while.
create table callback_secrets (
  workspace_id   uuid primary key references workspaces,
  secret         text not null,
  created_at     timestamptz not null,
  previous       text,
  previous_until timestamptz
);
