-- The skills that an execution was pinned to when it was accepted, as its record shows them: [{id, name, skill_version,
-- bundle_sha256}]; what it runs from stands in its request.
alter table executions add column skills json not null default '[]';

-- The evaluation that an execution is a run of: its end is looked at by that.
alter table executions add column evaluation_id uuid;

-- Executions by skill, newest first.
create table execution_skills (
  workspace_id  uuid not null,
  execution_id  uuid not null,
  position      integer not null,
  -- Null: it came inline.
  skill_id      uuid,
  name          text not null,
  number        integer,
  skill_version text not null,
  created_at    timestamptz not null,
  primary key (workspace_id, execution_id, position),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);
create index executions_by_skill on execution_skills (workspace_id, skill_id, created_at desc, execution_id desc)
  where skill_id is not null;
create index executions_by_skill_name on execution_skills (workspace_id, name, created_at desc, execution_id desc);

-- Known answers of a skill: of all its versions. owner_id is the workspace that the skill is of: another one for a public
-- skill of strangers, whose cases are this workspace's own all the same.
create table skill_cases (
  id           uuid primary key,
  -- The order in which they were added.
  place        bigint generated always as identity,
  workspace_id uuid not null references workspaces,
  owner_id     uuid not null,
  skill_name   text not null,
  -- As in a body of POST /v1/agent/execute.
  inputs       json not null,
  -- What else of the request shapes an answer: prompt, json_schema, page_indices.
  config       json not null default '{}',
  response     json not null,
  -- The execution that it was made from.
  execution_id uuid,
  created_at   timestamptz not null
);
create index skill_cases_of_skill on skill_cases (workspace_id, owner_id, skill_name, place);

create table evaluations (
  id            uuid primary key,
  workspace_id  uuid not null references workspaces,
  owner_id      uuid not null,
  skill_name    text not null,
  skill_id      uuid not null,
  number        integer not null,
  skill_version text not null,
  status        text not null check (status in ('running', 'completed', 'failed')),
  -- Whose key its runs are made with, and the model that they ask for; null: the skill's own, else the default.
  key_id        uuid not null references keys,
  model         text,
  -- What one of its runs may cost.
  max_cost_micros bigint,
  -- Known answers as they were when it began: {cases: [{id, inputs, config, response}]}; the version before; the gate.
  cases         json not null,
  runs_planned  integer not null,
  before_id     uuid,
  before_number integer,
  gate          json,
  error         json,
  report        json,
  created_at    timestamptz not null,
  completed_at  timestamptz
);
create index evaluations_of_skill on evaluations (workspace_id, owner_id, skill_name, created_at desc, id desc);

create table evaluation_runs (
  workspace_id  uuid not null,
  evaluation_id uuid not null references evaluations on delete cascade,
  case_number   integer not null,
  arm           text not null check (arm in ('with', 'without', 'before')),
  -- Null: it could not be begun, for a reason that does not pass.
  execution_id  uuid,
  error         json,
  primary key (workspace_id, evaluation_id, case_number, arm),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);

-- What an execution pins of a version, beside the facts: looking up many skills at once takes no instructions apart.
alter table skills
  add column pinned_schema json generated always as (facts->'schema') stored,
  add column pinned_model json generated always as (facts->'model') stored,
  add column pinned_toolsets json generated always as (facts->'toolsets') stored,
  add column pinned_allowed_tools json generated always as (facts->'allowedTools') stored;
