-- The execution that another was forked from. Its own steps begin with attempt 1; those that it keeps of the other have attempt 0, and cost nothing.
alter table executions add column forked_from uuid;
