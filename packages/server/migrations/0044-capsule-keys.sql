-- Ed25519 keys of the server that sign capsules. One signs; the others are kept to check what they signed.
create table capsule_keys (
  id         text primary key,
  public_key bytea not null,
  -- The encrypted private key, dropped with the end of its use.
  sealed     bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  check (sealed is not null or retired_at is not null)
);
create unique index capsule_keys_signing on capsule_keys ((true)) where retired_at is null;
