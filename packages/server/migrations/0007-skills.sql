-- A row is one version of a skill: its id is the version's. Versions of a name count 1, 2, 3 … within a workspace, in the
-- order in which they were completed; a number is never used again.
create table skills (
  id               uuid primary key,
  workspace_id     uuid not null references workspaces,
  -- By code points, so that every server lists in the same order.
  name             text collate "C" not null,
  number           integer,
  skill_version    text not null,
  description      text not null,
  is_public        boolean not null,
  status           text not null check (status in ('pending', 'running', 'completed', 'failed')),
  error            json,
  origin           text not null check (origin in ('file', 'prompt', 'session')),
  session_id       text,
  -- Of the content, and of the blob that is its zip.
  sha256           bytea not null,
  zip_sha256       bytea not null,
  zip_bytes        bigint not null,
  facts            json not null,
  -- How a skill made from a session was proved: the execution that ran again, and how far its answer agreed.
  proof            json,
  -- Waits for an evaluation to pass the gate that it sets itself.
  is_held          boolean not null default false,
  -- The newest version of its name that is completed and not held; and the newest of those that are public.
  is_latest        boolean not null default false,
  is_latest_public boolean not null default false,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  deleted_at       timestamptz,
  check ((status = 'completed') = (number is not null)),
  check (not (is_latest or is_latest_public) or (status = 'completed' and deleted_at is null and not is_held)),
  check (not is_latest_public or is_public)
);

create unique index skills_by_number on skills (workspace_id, name, number);
create index skills_by_blob on skills (zip_sha256) where deleted_at is null;
create index files_by_blob on files (sha256) where deleted_at is null;
-- One of each name: lists grouped by name read these and look at no other version.
create unique index skills_latest on skills (workspace_id, name) where is_latest;
create unique index skills_latest_public on skills (name, workspace_id) where is_latest_public;

-- A list is the private skills of a workspace and the public ones of all, each read in order from an index.
create index skills_own_by_creation on skills (workspace_id, created_at, id)
  where not is_public and status = 'completed' and deleted_at is null;
create index skills_own_by_update on skills (workspace_id, updated_at, id)
  where not is_public and status = 'completed' and deleted_at is null;
create index skills_own_by_name on skills (workspace_id, name, id)
  where not is_public and status = 'completed' and deleted_at is null;
create index skills_public_by_creation on skills (created_at, id)
  where is_public and status = 'completed' and deleted_at is null;
create index skills_public_by_update on skills (updated_at, id)
  where is_public and status = 'completed' and deleted_at is null;
create index skills_public_by_name on skills (name, id)
  where is_public and status = 'completed' and deleted_at is null;
create index skills_latest_own_by_creation on skills (workspace_id, created_at, id) where is_latest and not is_public;
create index skills_latest_own_by_update on skills (workspace_id, updated_at, id) where is_latest and not is_public;
create index skills_latest_own_by_name on skills (workspace_id, name, id) where is_latest and not is_public;
create index skills_latest_public_by_creation on skills (created_at, id) where is_latest_public;
create index skills_latest_public_by_update on skills (updated_at, id) where is_latest_public;
create index skills_latest_public_by_name on skills (name, id) where is_latest_public;

-- Where rows are kept apart by workspace, these are for all to read.
create policy public_skills on skills for select using (is_public and status = 'completed' and deleted_at is null);

-- Whether any workspace needs the bytes: the one question that no single workspace can answer, and its answer is no more
-- than yes or no.
create function blob_is_needed(wanted bytea) returns boolean
  language sql stable
  return exists (select from files where sha256 = wanted and deleted_at is null)
    or exists (select from skills where zip_sha256 = wanted and deleted_at is null);
