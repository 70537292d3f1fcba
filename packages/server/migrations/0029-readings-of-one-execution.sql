-- Readings that one execution alone may use are found by its id, with which the name of their reader ends.
create index readings_of_executions on readings (workspace_id, right(reader, 36)) where reader like '% for %';
-- What runs that were cut off had written after the end of executions that are not kept.
delete from readings using executions
  where readings.reader like '% for %' and readings.workspace_id = executions.workspace_id
    and right(readings.reader, 36) = executions.id::text and executions.completed_at is not null;
