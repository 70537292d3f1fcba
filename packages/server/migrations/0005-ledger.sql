-- What was set aside, spent and given back, for ever: rows are only added. Σ reserve = Σ settle + Σ release once nothing runs.
create table ledger (
  id             bigint generated always as identity primary key,
  workspace_id   uuid not null,
  execution_id   uuid not null,
  key_id         uuid not null references keys,
  reservation_id uuid not null,
  kind           text not null check (kind in ('reserve', 'settle', 'release')),
  micros         bigint not null check (micros > 0),
  detail         json,
  created_at     timestamptz not null,
  foreign key (workspace_id, execution_id) references executions on delete cascade
);
create index ledger_of_execution on ledger (workspace_id, execution_id, id);

-- What an execution has set aside and spent so far, against its own budget.
alter table executions add column committed_micros bigint not null default 0;

-- A key's budget of a UTC day, and what was set aside and spent on that day.
alter table keys add column budget_micros_per_day bigint;
create table key_days (
  workspace_id     uuid not null references workspaces,
  key_id           uuid not null references keys,
  day              date not null,
  committed_micros bigint not null default 0,
  primary key (workspace_id, key_id, day)
);
