-- What the models of cheapest paths are proven for, by judged answers: {kind: {pointer: {k, n, recent, epoch, isProven}}}. The key is the
-- hash of what was asked (skills, prompt, schema), the accepted share of wrong values, and the models.
create table paths (
  workspace_id   uuid not null references workspaces,
  key_sha256     text not null,
  small          text,
  large          text not null,
  max_wrong_rate double precision not null,
  standings      json not null default '{}',
  -- Executions in which an answer was judged.
  checks         integer not null default 0,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (workspace_id, key_sha256)
);
create trigger times_in_order before insert or update on paths for each row
  when (new.updated_at < new.created_at) execute function keep_times_in_order('created_at', 'updated_at');
alter table paths enable row level security;
alter table paths force row level security;
create policy of_workspace on paths using (sees_workspace(workspace_id));

-- What answered each field of an execution on the cheapest path: {key, maxWrongRate, isChecked, fields, engines}.
alter table executions add column path json;
