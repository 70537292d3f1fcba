-- People. An account belongs to no workspace: its memberships do, and a confined connection sees no account at all.
create table users (
  id           uuid primary key,
  -- In lower case. Null: the account was deleted, and its row only keeps ids apart.
  email        text,
  name         text not null,
  -- A salted hash with its parameters. Null: no password is accepted.
  password     text,
  -- The password was chosen by somebody else: until it is changed, nothing else may be done.
  must_change  boolean not null default false,
  -- Who the person is at the identity provider.
  oidc_issuer  text,
  oidc_subject text,
  created_at   timestamptz not null,
  signed_in_at timestamptz,
  disabled_at  timestamptz,
  deleted_at   timestamptz,
  check ((oidc_issuer is null) = (oidc_subject is null)),
  check (deleted_at is null or (email is null and password is null and oidc_subject is null))
);
create unique index users_by_email on users (email);
create unique index users_by_subject on users (oidc_issuer, oidc_subject);
create trigger times_in_order before insert or update on users for each row
  when (new.deleted_at < new.created_at) execute function keep_times_in_order('created_at', 'deleted_at');
alter table users enable row level security;
alter table users force row level security;
create policy of_all_workspaces on users using (sees_workspace(null));

-- Where somebody is signed in. The cookie has the token; the row only its hash.
create table user_sessions (
  id         uuid primary key,
  user_id    uuid not null references users,
  sha256     bytea not null unique,
  created_at timestamptz not null,
  -- When it was last used, to within a minute.
  seen_at    timestamptz not null
);
create index user_sessions_of_user on user_sessions (user_id, created_at desc, id desc);
create index user_sessions_by_age on user_sessions (created_at);
alter table user_sessions enable row level security;
alter table user_sessions force row level security;
create policy of_all_workspaces on user_sessions using (sees_workspace(null));

-- A membership is a key without a text: what a person does in a workspace is done by it. Its name is the person's name, and
-- it is revoked when the person leaves the workspace.
alter table keys
  alter column sha256 drop not null,
  add column user_id uuid references users,
  add column role text check (role in ('viewer', 'reviewer', 'editor', 'admin')),
  add constraint keys_or_members check ((user_id is null) = (role is null) and (user_id is null) = (sha256 is not null));
create unique index keys_by_user on keys (workspace_id, user_id) where user_id is not null;
create index keys_of_user on keys (user_id) where user_id is not null;
