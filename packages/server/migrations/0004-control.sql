-- Only the newest job of an execution may start a run: resuming makes a new one, and an older one that still stands in
-- the queue finds nothing to do.
alter table executions add column job_number integer not null default 1;

-- Every move of the status, oldest first: [{status, at, attempt}]. Written by the statement that moves it; together with
-- the transcript these are the events of the execution.
alter table executions add column moves jsonb not null default '[]';

update executions set moves =
  jsonb_build_array(jsonb_build_object('status', 'enqueued', 'at', created_at, 'attempt', 0))
  || case when status = 'enqueued' then '[]'::jsonb
     else jsonb_build_array(jsonb_build_object('status', status, 'at', coalesce(completed_at, started_at, created_at), 'attempt', attempt)) end;
