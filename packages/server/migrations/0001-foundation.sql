-- Every table names its workspace, and every query gives it: an id of another workspace reads as unknown.
-- Times are given by the program's clock, never by now(). Money is whole micro-dollars. Columns are json, not jsonb: an answer
-- keeps the order of its schema.

create table workspaces (
  id         uuid primary key,
  name       text not null unique,
  created_at timestamptz not null
);

-- A key is known by the SHA-256 of its text alone; the hint is its last four characters, for people.
create table keys (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  name         text not null,
  sha256       bytea not null unique,
  hint         text not null,
  scopes       text[] not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz
);
create index keys_of_workspace on keys (workspace_id, created_at desc, id desc);

create table files (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  filename     text not null,
  content_type text not null,
  bytes        bigint not null,
  sha256       bytea not null,
  md5          bytea not null,
  purpose      text not null,
  created_at   timestamptz not null,
  deleted_at   timestamptz
);
create index files_of_workspace on files (workspace_id, created_at desc, id desc) where deleted_at is null;
create index files_by_md5 on files (workspace_id, md5) where deleted_at is null;

-- An agent's versions count 1, 2, 3 … per name. prompt_sha256 is of the normalised prompt: an execution without a
-- name finds its agent by it.
create table agents (
  id            uuid primary key,
  workspace_id  uuid not null references workspaces,
  name          text not null,
  version       integer not null,
  description   text not null,
  prompt        text not null,
  prompt_sha256 bytea not null,
  json_schema   json,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  unique (workspace_id, name, version)
);
create index agents_by_prompt on agents (workspace_id, prompt_sha256, version desc);

-- A client may choose the id; it is unique within its workspace alone, so that no one learns of another's.
create table executions (
  id             uuid not null,
  workspace_id   uuid not null references workspaces,
  key_id         uuid not null references keys,
  agent_id       uuid references agents,
  name           text not null,
  status         text not null check (status in ('pending', 'enqueued', 'running', 'paused', 'completed', 'failed')),
  -- Counts the runs of this execution. A run writes only where its own number still stands here.
  attempt        integer not null default 0,
  -- Runs whose worker died with them.
  deaths         integer not null default 0,
  request        json not null,
  model          text not null,
  tier           text not null check (tier in ('standard', 'flex', 'priority')),
  session_id     text,
  execution_mode text not null default 'agent' check (execution_mode in ('agent', 'program')),
  response       json,
  evidence       json,
  error          json,
  usage          json not null default '{}',
  created_at     timestamptz not null,
  started_at     timestamptz,
  completed_at   timestamptz,
  primary key (workspace_id, id)
);
create index executions_of_workspace on executions (workspace_id, created_at desc, id desc);
create index executions_by_status on executions (workspace_id, status, created_at desc, id desc);
create index executions_by_session on executions (workspace_id, session_id, created_at desc, id desc) where session_id is not null;

-- The transcript: one row for each thing that a run did or was told, written before it is used.
create table steps (
  workspace_id uuid not null,
  execution_id uuid not null,
  seq          integer not null,
  attempt      integer not null,
  kind         text not null check (kind in ('input', 'tool', 'model')),
  name         text not null,
  detail       json not null,
  result       json,
  cost_micros  bigint not null default 0,
  started_at   timestamptz not null,
  ended_at     timestamptz not null,
  primary key (workspace_id, execution_id, seq),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);

-- The first answer to a request id or Idempotency-Key stands for all later ones with the same body.
create table idempotency (
  workspace_id uuid not null references workspaces,
  key          text not null,
  body_sha256  bytea not null,
  execution_id uuid not null,
  created_at   timestamptz not null,
  primary key (workspace_id, key),
  -- Claimed before the execution is written, in one transaction with it.
  foreign key (workspace_id, execution_id) references executions on delete cascade deferrable initially deferred
);

-- Read documents in packed form, by content, kept within a workspace so that none can learn what another holds.
create table readings (
  workspace_id uuid not null references workspaces,
  sha256       bytea not null,
  reader       text not null,
  document     bytea not null,
  summary      json not null,
  created_at   timestamptz not null,
  primary key (workspace_id, sha256, reader)
);

-- Secrets of the server itself, the same for all its processes: what signs its URLs.
create table server_secrets (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null
);
