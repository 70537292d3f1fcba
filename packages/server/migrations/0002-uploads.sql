-- A presigned upload: the file that will have this id once its bytes have come. Its row stays, so that a client that did
-- not hear the answer may send the same bytes again until it expires.
create table uploads (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  filename     text not null,
  purpose      text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null
);
create index uploads_by_expiry on uploads (expires_at);
