-- `name` of an execution is `<name>:<version>` of the agent that runs, whatever the caller wrote. A turn of a chat has no agent.
update executions e set name = a.name || ':' || a.version from agents a
  where a.workspace_id = e.workspace_id and a.id = e.agent_id and (e.name <> 'chat' or a.name = 'chat');
update executions set agent_id = null where name = 'chat';
create index executions_by_agent on executions (workspace_id, split_part(name, ':', 1), created_at desc, id desc);

-- The caller's own request id, where it is no UUID.
alter table executions add column client_id text;
create index executions_by_client_id on executions (workspace_id, client_id) where client_id is not null;

-- Who named the model identifier. `chosen_by` is the rule that chose the engine of that identifier.
alter table executions add column model_chosen_by text check (model_chosen_by in ('request', 'skill', 'default'));
