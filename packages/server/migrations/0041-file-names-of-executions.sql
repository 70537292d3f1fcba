-- The names of its input files when an execution was accepted, to find it by: files may be renamed or deleted later.
alter table executions add column file_names text[] not null default '{}';
update executions e set file_names = held.names
  from (select h.workspace_id, h.execution_id, array_agg(f.filename order by f.created_at, f.id) as names
        from execution_files h join files f on f.id = h.file_id group by 1, 2) held
  where e.workspace_id = held.workspace_id and e.id = held.execution_id and e.is_retained;
