-- Programs of skills: source that was written once and runs as fixed code. One serves a request when the very same skill
-- versions (skills_sha256, over the hashes of their bundles), the same schema and the same shape of inputs are asked for.
create table programs (
  id            uuid primary key,
  workspace_id  uuid not null references workspaces,
  -- The first of its skills: the version, the workspace that the skill is of, and its name.
  skill_id      uuid not null,
  owner_id      uuid not null,
  skill_name    text not null,
  skill_version text not null,
  skills_sha256 text not null,
  -- What the skills were pinned to, to load their known answers and to compile again.
  skills        json not null,
  schema        json,
  schema_sha256 text not null,
  input_shape   json,
  shape_sha256  text,
  status        text not null check (status in ('compiling', 'candidate', 'ready', 'rejected', 'demoted')),
  -- Who wrote it: the embedded engine, or a code agent in the execution named by execution_id.
  origin        text not null check (origin in ('embedded', 'agent')),
  execution_id  uuid,
  -- What it is compiled from, as it was asked: {execution_ids, case_ids}; null lists are all known answers.
  asked         json not null,
  source        text,
  sha256        text,
  -- The gate's report, and what the guard holds a run against.
  gate          json,
  guard         json,
  reason        text,
  compile_micros bigint not null default 0,
  -- Sums of what it served and of agent runs of the same skill, schema and shape beside it: for the break-even.
  runs          integer not null default 0,
  run_micros    bigint not null default 0,
  run_ms        bigint not null default 0,
  agent_runs    integer not null default 0,
  agent_micros  bigint not null default 0,
  shadow_runs   integer not null default 0,
  shadow_wrong  integer not null default 0,
  -- Outcomes of the latest shadows, oldest first: true where the agent disagreed.
  shadow_recent json not null default '[]',
  created_at    timestamptz not null,
  decided_at    timestamptz,
  deleted_at    timestamptz
);
create index programs_of_skill on programs (workspace_id, owner_id, skill_name, created_at desc, id desc)
  where deleted_at is null;
create unique index programs_ready on programs (workspace_id, skills_sha256, schema_sha256, shape_sha256)
  where status = 'ready' and deleted_at is null;

-- Executions that a program served, and the agent run that looked over its shoulder.
create table program_runs (
  workspace_id uuid not null,
  execution_id uuid not null,
  program_id   uuid not null references programs,
  shadow_id    uuid,
  -- Null until the shadow has ended: whether it disagreed, and in which fields.
  disagreed    boolean,
  fields       json,
  created_at   timestamptz not null,
  primary key (workspace_id, execution_id),
  foreign key (workspace_id, execution_id) references executions on delete cascade
);
create index program_runs_by_shadow on program_runs (workspace_id, shadow_id) where shadow_id is not null;
create index program_runs_of_program on program_runs (workspace_id, program_id, created_at desc);

-- The program that an execution ran as, {id, sha256}; and the execution that one was run beside, to see whether they agree.
alter table executions add column program json;
alter table executions add column shadow_of uuid;
