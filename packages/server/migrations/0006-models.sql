-- Which engine answers an execution (`embedded`, `provider/model`), known once it is chosen; and by which rule, where there
-- was a choice.
alter table executions add column answered_by text;
alter table executions add column chosen_by text;
update executions set answered_by = 'embedded' where status in ('running', 'completed', 'failed');

-- What an execution may cost at most: what was asked, or what was said when it was resumed. Null: no bound.
alter table executions add column max_cost_micros bigint;
