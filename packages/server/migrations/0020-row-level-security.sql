-- The second wall between workspaces. A connection says which one it is for in skillrun.workspace: an id, or `*` for what
-- the server does for all of them. Said nothing, it sees nothing.
create function sees_workspace(workspace_id uuid) returns boolean
  language sql stable parallel safe
  return coalesce(current_setting('skillrun.workspace', true) in ('*', workspace_id::text), false);

-- Every table that stands by now; a table of a later migration says the same for itself. Workspaces themselves are outside:
-- who is the first of them is asked by all.
do $$
declare
  place record;
begin
  for place in
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
  loop
    execute format('alter table %I enable row level security', place.name);
    -- The owner of the tables too: it is who we are on a database of the operator's.
    execute format('alter table %I force row level security', place.name);
    execute format('create policy of_workspace on %I using (sees_workspace(workspace_id))', place.name);
  end loop;
end $$;
