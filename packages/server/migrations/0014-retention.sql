-- Bytes of the files that a workspace holds now, against its quota: moved by the transactions that add and delete files.
create table storage (
  workspace_id uuid primary key references workspaces,
  bytes        bigint not null check (bytes >= 0)
);
insert into storage (workspace_id, bytes)
  select workspace_id, sum(bytes) from files where deleted_at is null group by workspace_id;

-- The files that an execution takes as its inputs, until it has ended: they may be deleted meanwhile, but their bytes stay.
create table execution_files (
  workspace_id uuid not null,
  execution_id uuid not null,
  file_id      uuid not null references files,
  sha256       bytea not null,
  primary key (workspace_id, execution_id, file_id),
  -- Written before the execution is, in one transaction with it.
  foreign key (workspace_id, execution_id) references executions on delete cascade deferrable initially deferred
);
create index execution_files_by_blob on execution_files (sha256);

-- Blobs that nothing names any more but an execution that had not ended when that was looked at: to be looked at again.
create table blob_leftovers (
  sha256 bytea primary key
);

-- Whether a file or skill of any workspace has these bytes. It looks at all of them, whichever the connection is for; only a
-- superuser could say so in the function's declaration.
create function blob_is_owned(wanted bytea) returns boolean language plpgsql as $$
declare
  before text := coalesce(current_setting('skillrun.workspace', true), '');
  found_one boolean;
begin
  perform set_config('skillrun.workspace', '*', true);
  found_one := exists (select from files where sha256 = wanted and deleted_at is null)
    or exists (select from skills where zip_sha256 = wanted and deleted_at is null);
  perform set_config('skillrun.workspace', before, true);
  return found_one;
end $$;

-- The same, or an execution that has not ended works with them: with its input files and the bundles of its skills.
create or replace function blob_is_needed(wanted bytea) returns boolean language plpgsql as $$
declare
  before text := coalesce(current_setting('skillrun.workspace', true), '');
  found_one boolean;
begin
  perform set_config('skillrun.workspace', '*', true);
  found_one := blob_is_owned(wanted)
    or exists (
      select from execution_files f join executions e on e.workspace_id = f.workspace_id and e.id = f.execution_id
      where f.sha256 = wanted and e.status not in ('completed', 'failed'))
    or exists (
      select from skills s join execution_skills u on u.skill_id = s.id
        join executions e on e.workspace_id = u.workspace_id and e.id = u.execution_id
      where s.zip_sha256 = wanted and e.status not in ('completed', 'failed'));
  perform set_config('skillrun.workspace', before, true);
  return found_one;
end $$;

-- False: what went in and what was done are gone when the execution ends, what came out when it was read or after an hour.
alter table executions add column is_retained boolean not null default true;
-- When what came out was purged too.
alter table executions add column purged_at timestamptz;
create index executions_to_purge on executions (completed_at) where not is_retained and purged_at is null;
