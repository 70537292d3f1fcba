-- What tools of a run made: charts, crops, stretches of film. Small enough to lie beside their execution, and to go with it.
create table artifacts (
  workspace_id uuid not null,
  execution_id uuid not null,
  -- `img_a1b2c3`: six digits of the hash of what was made, by which call; made again after a crash it is the same.
  id           text not null,
  session_id   text,
  filename     text not null,
  content_type text not null,
  content      bytea not null,
  bytes        integer not null,
  created_at   timestamptz not null,
  primary key (workspace_id, execution_id, id),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);
create index artifacts_of_session on artifacts (workspace_id, session_id, created_at) where session_id is not null;
alter table artifacts enable row level security;
alter table artifacts force row level security;
create policy of_workspace on artifacts using (sees_workspace(workspace_id));
