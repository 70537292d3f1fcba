-- Presigned uploads that a pending execution waits for. A row goes when its execution starts or ends.
create table execution_uploads (
  workspace_id uuid not null,
  execution_id uuid not null,
  file_id      uuid not null,
  -- The input that names the file, for the error if the upload never comes.
  input        text not null,
  expires_at   timestamptz not null,
  primary key (workspace_id, execution_id, file_id),
  foreign key (workspace_id, execution_id) references executions on delete cascade deferrable initially deferred
);
create index execution_uploads_by_file on execution_uploads (workspace_id, file_id);
alter table execution_uploads enable row level security;
alter table execution_uploads force row level security;
create policy of_workspace on execution_uploads using (sees_workspace(workspace_id));
