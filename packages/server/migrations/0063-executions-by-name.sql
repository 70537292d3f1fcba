-- Executions of an agent by its name. The index on split_part was never used: under row-level security PostgreSQL looks up by leakproof
-- functions alone, and comparisons of text are, split_part is not.
create index executions_by_name on executions (workspace_id, name collate "C", created_at desc, id desc);
drop index executions_by_agent;
