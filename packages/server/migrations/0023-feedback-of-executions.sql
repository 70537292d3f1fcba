-- The execution that feedback is on, where what it names is one: what is said of an execution goes with its content.
alter table feedback add column execution_id uuid;
update feedback f set execution_id = e.id from executions e
  where e.workspace_id = f.workspace_id and e.id::text = lower(replace(f.entity, 'chatcmpl-', ''));
create index feedback_of_execution on feedback (workspace_id, execution_id) where execution_id is not null;
-- Said of what was not to be kept, before it was purged with it.
update feedback f set response = null, notes = null from executions e
  where e.workspace_id = f.workspace_id and e.id = f.execution_id and not e.is_retained;
