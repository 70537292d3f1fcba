-- Uploads in progress, of every process: what each has reserved of its workspace's storage quota. A row that is not renewed
-- expires, so that a process that died holds nothing for long. Losing the rows with the database loses nothing: the uploads
-- ended with it.
create unlogged table upload_reservations (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  -- The key that uploads, or that asked for the presigned URL; null for a URL that is older than this table.
  key_id       uuid,
  bytes        bigint not null check (bytes >= 0),
  expires_at   timestamptz not null
);
create index upload_reservations_of_workspace on upload_reservations (workspace_id);
alter table upload_reservations enable row level security;
alter table upload_reservations force row level security;
create policy of_workspace on upload_reservations using (sees_workspace(workspace_id));

-- Whose upload the bytes sent to a presigned URL count as.
alter table uploads add column key_id uuid;
