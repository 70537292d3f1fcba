-- With the columns that tell work from runs of evaluations and from shadow runs, a page far down a list is found in the index alone.
drop index executions_of_workspace;
create index executions_of_workspace on executions (workspace_id, created_at desc, id desc) include (evaluation_id, shadow_of);
drop index executions_by_status;
create index executions_by_status on executions (workspace_id, status, created_at desc, id desc) include (evaluation_id, shadow_of);
