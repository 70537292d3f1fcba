-- A run that waits for a person's decision: before it completes, or before it calls a tool.
alter table executions
  add column approval jsonb,
  -- The answer that waits for the decision, as the run ended with it.
  add column held_ending json;
