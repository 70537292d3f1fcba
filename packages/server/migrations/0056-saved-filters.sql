-- Named filters of the list of executions, shared by everyone in the workspace.
create table saved_filters (
  workspace_id uuid not null references workspaces,
  id           uuid not null,
  name         text not null,
  -- Query of GET /v1/agent/executions, without paging.
  query        jsonb not null,
  -- Who saved it last: a key, or a user by the id of the membership.
  saved_by     uuid not null references keys,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);
create trigger times_in_order before insert or update on saved_filters for each row
  when (new.updated_at < new.created_at) execute function keep_times_in_order('created_at', 'updated_at');

alter table saved_filters enable row level security;
alter table saved_filters force row level security;
create policy of_workspace on saved_filters using (sees_workspace(workspace_id));
