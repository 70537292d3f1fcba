-- The Idempotency-Key of a call that makes something other than an execution or a batch, in the transaction that makes it.
create table idempotent_calls (
  workspace_id uuid not null references workspaces,
  -- The operation of the route: each has keys of its own.
  operation    text not null,
  -- The SHA-256 of the key.
  key          text not null,
  body_sha256  bytea not null,
  -- What the call made.
  made_id      uuid not null,
  created_at   timestamptz not null,
  primary key (workspace_id, operation, key)
);

alter table idempotent_calls enable row level security;
alter table idempotent_calls force row level security;
create policy of_workspace on idempotent_calls using (sees_workspace(workspace_id));
