-- When a session ends at the latest, where that is sooner than for all: the identity provider is asked again then.
alter table user_sessions add column ends_at timestamptz;
