-- The earlier execution of the same task whose answer and pages an execution may keep, and how each field was answered.
alter table executions add column base_execution uuid;
alter table executions add column field_modes json;
-- The execution that an item of a batch asks again, for a schema with more fields.
alter table batch_items add column base_execution uuid;
