-- An improvement that has ended needs its cases no longer, and the executions that they come from may be kept no longer.
update improvements set plan = '{"training": [], "judging": []}' where status <> 'running';
