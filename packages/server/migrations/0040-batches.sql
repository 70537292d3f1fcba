-- A batch: one configuration for many documents. Its executions are created little by little.
create table batches (
  workspace_id    uuid not null references workspaces,
  id              uuid not null,
  key_id          uuid not null references keys,
  name            text,
  status          text not null check (status in ('running', 'paused', 'completed', 'cancelled')),
  -- The body of every execution, without inputs. Null once it was purged.
  request         json,
  -- The archive that the items are entries of.
  zip_file_id     uuid,
  callback_url    text,
  total           integer not null,
  -- Executions of this batch that exist and have not ended, at most.
  in_flight_max   integer not null,
  warnings        json not null default '[]',
  -- A hash of the Idempotency-Key, and the hash of the body that it was used with.
  idempotency_key text,
  body_sha256     bytea not null,
  created_at      timestamptz not null,
  completed_at    timestamptz,
  purged_at       timestamptz,
  primary key (workspace_id, id)
);
create unique index batches_by_idempotency_key on batches (workspace_id, idempotency_key) where idempotency_key is not null;
create index batches_newest_first on batches (workspace_id, created_at desc, id desc);
create trigger times_in_order before insert or update on batches for each row
  when (new.completed_at < new.created_at or new.purged_at < new.completed_at)
  execute function keep_times_in_order('created_at', 'completed_at', 'purged_at');

-- One document of a batch, or the documents of one execution. All are written when the batch is accepted.
create table batch_items (
  workspace_id      uuid not null,
  batch_id          uuid not null,
  number            integer not null,
  -- queued: it has no execution yet. started: its execution has not ended, as far as the batch knows.
  state             text not null default 'queued' check (state in ('queued', 'started', 'completed', 'failed', 'cancelled')),
  -- Grows with every retry. Only the newest attempt may be given an execution.
  attempt           integer not null default 1,
  client_id         text,
  file_name         text,
  -- As in a body of POST /v1/agent/execute. Null: an entry of the archive, or purged.
  inputs            json,
  entry             text,
  execution_id      uuid,
  -- Why no execution could be created, or why it failed.
  error             json,
  -- What the execution cost, in its tier.
  cost_micros       bigint not null default 0,
  -- What earlier attempts cost.
  earlier_micros    bigint not null default 0,
  lowest_confidence double precision,
  low_confidence    integer,
  not_found         integer,
  ended_at          timestamptz,
  primary key (workspace_id, batch_id, number),
  foreign key (workspace_id, batch_id) references batches on delete cascade
);
create index batch_items_queued on batch_items (workspace_id, batch_id, number) where state = 'queued';
create index batch_items_started on batch_items (workspace_id, batch_id, number) where state = 'started';
create index batch_items_by_execution on batch_items (workspace_id, execution_id) where execution_id is not null;

alter table batches enable row level security;
alter table batches force row level security;
create policy of_workspace on batches using (sees_workspace(workspace_id));
alter table batch_items enable row level security;
alter table batch_items force row level security;
create policy of_workspace on batch_items using (sees_workspace(workspace_id));

-- The batch that an execution belongs to.
alter table executions add column batch_id uuid;
create index executions_by_batch on executions (workspace_id, batch_id, created_at desc, id desc) where batch_id is not null;

-- A callback is about an execution or about a batch: `execution_id` is the id of either.
alter table callbacks drop constraint callbacks_workspace_id_execution_id_fkey;
alter table callbacks drop constraint callbacks_event_check;
alter table callbacks add constraint callbacks_event_check check (event in ('completed', 'failed', 'paused', 'batch.completed', 'batch.cancelled'));
