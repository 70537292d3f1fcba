-- Attempts to improve the instructions of a skill: a model proposes some, and cases that it never saw decide what is published.
create table improvements (
  workspace_id    uuid not null references workspaces,
  id              uuid not null,
  skill_name      text not null,
  skill_id        uuid not null,
  number          integer not null,
  skill_version   text not null,
  status          text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
  key_id          uuid not null references keys,
  model           text not null,
  -- The engine behind that model when it began.
  answered_by     text not null,
  writer          text not null,
  budget_micros   bigint not null,
  proposals_max   integer not null,
  -- {training, judging}: cases as they were when it began, [{id, inputs, config, response}] each.
  plan            json not null,
  training_cases  integer not null,
  judging_cases   integer not null,
  outcome         json,
  error           json,
  published_id    uuid,
  -- The engine that the published version was last compared under, and the evaluation that did it after the route changed.
  compared_by     text not null,
  evaluation_id   uuid,
  created_at      timestamptz not null,
  completed_at    timestamptz,
  primary key (workspace_id, id)
);
create index improvements_of_skill on improvements (workspace_id, skill_name, created_at desc, id desc);
create unique index improvements_running on improvements (workspace_id, skill_name) where status = 'running';
create trigger times_in_order before insert or update on improvements for each row
  when (new.completed_at < new.created_at) execute function keep_times_in_order('created_at', 'completed_at');

-- Number 0 stands for the version itself.
create table improvement_proposals (
  workspace_id   uuid not null,
  improvement_id uuid not null,
  number         integer not null,
  -- What each of its runs may cost.
  run_micros     bigint not null,
  instructions   text,
  summary        text,
  verdict        text check (verdict in ('better', 'worse', 'undecided', 'duplicate', 'failed')),
  error          json,
  -- By case: [{caseId, executionId, agreed, fields, error, isVoid}].
  results        json,
  primary key (workspace_id, improvement_id, number),
  foreign key (workspace_id, improvement_id) references improvements on delete cascade
);

create table improvement_runs (
  workspace_id   uuid not null,
  improvement_id uuid not null,
  number         integer not null,
  kind           text not null check (kind in ('training', 'judging', 'writing')),
  case_number    integer not null,
  -- Null: it could not start.
  execution_id   uuid,
  error          json,
  primary key (workspace_id, improvement_id, number, kind, case_number),
  foreign key (workspace_id, improvement_id) references improvements on delete cascade,
  foreign key (workspace_id, execution_id) references executions on delete cascade
);

alter table improvements enable row level security;
alter table improvements force row level security;
create policy of_workspace on improvements using (sees_workspace(workspace_id));
alter table improvement_proposals enable row level security;
alter table improvement_proposals force row level security;
create policy of_workspace on improvement_proposals using (sees_workspace(workspace_id));
alter table improvement_runs enable row level security;
alter table improvement_runs force row level security;
create policy of_workspace on improvement_runs using (sees_workspace(workspace_id));
