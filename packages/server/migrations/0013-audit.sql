-- Who did what to keys, files, skills and settings: written by the transaction that did it, and never changed.
create table audit (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Null: the server itself, or the holder of a signed URL.
  key_id       uuid,
  action       text not null,
  subject_id   text not null,
  -- Names and figures beside it; nothing of a content.
  detail       json not null default '{}',
  created_at   timestamptz not null
);
create index audit_of_workspace on audit (workspace_id, created_at desc, id desc);
create index audit_of_subject on audit (workspace_id, subject_id, created_at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never changed', tg_table_name;
end $$;
create trigger audit_is_kept before update on audit for each row execute function refuse_change();
