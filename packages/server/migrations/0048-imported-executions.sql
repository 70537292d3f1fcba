-- Executions that came in a capsule: the id that they had, and whether a key of this server signed it. They cost nothing here.
alter table executions
  add column imported_from uuid,
  add column is_trusted boolean;
