-- What an agent brings to its executions where the request says nothing: inputs, skill entries as the wire has them, tier, callback.
alter table agents add column inputs json;
alter table agents add column skills json;
alter table agents add column service_tier text check (service_tier in ('auto', 'default', 'standard', 'flex', 'priority'));
alter table agents add column callback_url text;
create index agents_of_workspace on agents (workspace_id, created_at desc, id desc);

-- What people said of an answer: `entity` is what `entity_type` names, a request, an execution or a chat.
create table feedback (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  key_id       uuid not null references keys,
  entity_type  text not null check (entity_type in ('request', 'agent_execution', 'chat')),
  entity       text not null,
  response     json,
  notes        text,
  created_at   timestamptz not null
);
create index feedback_of_entity on feedback (workspace_id, entity, created_at desc, id desc);
