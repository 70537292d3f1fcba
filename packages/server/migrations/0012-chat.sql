-- What was said in a session, oldest first by id: what came with each turn. The reply to it is the turn's own execution, which
-- holds it already. Documents stand in a message by the names of that execution's inputs.
create table messages (
  id           bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces,
  session_id   text not null,
  execution_id uuid not null,
  message      json not null,
  created_at   timestamptz not null,
  foreign key (workspace_id, execution_id) references executions on delete cascade
);
create index messages_of_session on messages (workspace_id, session_id, id);
