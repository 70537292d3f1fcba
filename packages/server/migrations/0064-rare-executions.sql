-- Kinds of executions that are rare beside all others: a list of one kind would otherwise read on until it has a page. A row of the usual kind
-- is in none of these, so that it costs nothing more to write.
create index executions_of_evaluations on executions (workspace_id, created_at desc, id desc) where evaluation_id is not null;
create index executions_of_shadows on executions (workspace_id, created_at desc, id desc) where shadow_of is not null;
create index executions_by_approval on executions (workspace_id, created_at desc, id desc) where approval is not null;
create index executions_by_tier on executions (workspace_id, tier, created_at desc, id desc) include (evaluation_id, shadow_of)
  where tier <> 'standard';
