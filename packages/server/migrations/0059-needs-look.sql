-- JSON Pointers of the values that a person should check, by the rule that held when the execution ended; null in older rows.
alter table executions add column needs_look json;
