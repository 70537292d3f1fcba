-- Reviews of answers by people. The answer stays as it is; the corrected one stands beside it.
alter table executions
  add column reviewed_response json,
  -- {status, version, by, at, changes}; null: no review was saved, and none is needed.
  add column review jsonb;
create index executions_by_review on executions (workspace_id, (review->>'status'), created_at desc, id desc) where review is not null;

alter table callbacks
  drop constraint callbacks_event_check,
  add constraint callbacks_event_check check (event in ('completed', 'failed', 'paused', 'reviewed', 'batch.completed', 'batch.cancelled'));

-- One row for each execution whose answer is to be reviewed, or was.
create table review_items (
  workspace_id  uuid not null,
  execution_id  uuid not null,
  status        text not null check (status in ('needed', 'done')),
  -- The first skill of the execution.
  skill_id      uuid,
  skill_name    text,
  -- Why a review is needed: [{path, code, confidence}].
  reasons       jsonb not null,
  lowest        double precision,
  created_at    timestamptz not null,
  -- The key that alone may claim it; null: any.
  assigned_to   uuid,
  -- A claim is over when its time is, and its number fences what is still written under an older one.
  claimed_by    uuid,
  claimed_at    timestamptz,
  claimed_until timestamptz,
  claim_number  integer not null default 0,
  -- Keys that are not offered it any more.
  skipped_by    uuid[] not null default '{}',
  -- Time under claims that were ended by their holders.
  busy_ms       bigint not null default 0,
  done_at       timestamptz,
  done_by       uuid,
  -- What the review says of each field: {field: {confirmed, corrected, untouched}}.
  fields        jsonb,
  primary key (workspace_id, execution_id),
  foreign key (workspace_id, execution_id) references executions on delete cascade deferrable initially deferred
);
create index review_items_needed on review_items (workspace_id, created_at, execution_id) where status = 'needed';
create index review_items_done on review_items (workspace_id, done_at) where status = 'done';
alter table review_items enable row level security;
alter table review_items force row level security;
create policy of_workspace on review_items using (sees_workspace(workspace_id));

-- Every review that was saved, oldest first by its version.
create table reviews (
  workspace_id uuid not null,
  execution_id uuid not null,
  version      integer not null,
  key_id       uuid not null,
  is_done      boolean not null,
  comment      text,
  changes      json not null,
  created_at   timestamptz not null,
  primary key (workspace_id, execution_id, version),
  foreign key (workspace_id, execution_id) references executions on delete cascade deferrable initially deferred
);
alter table reviews enable row level security;
alter table reviews force row level security;
create policy of_workspace on reviews using (sees_workspace(workspace_id));

-- When answers need a review: of a workspace (skill_name '') and of its skills.
create table review_settings (
  workspace_id uuid not null references workspaces,
  skill_name   text not null,
  below        double precision not null,
  add_cases    boolean not null,
  updated_at   timestamptz not null,
  primary key (workspace_id, skill_name)
);
alter table review_settings enable row level security;
alter table review_settings force row level security;
create policy of_workspace on review_settings using (sees_workspace(workspace_id));
