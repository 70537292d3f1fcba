-- Secrets are kept encrypted (`sealed`). The plain columns are emptied by the first start of a server that has the key.
alter table server_secrets
  alter column value drop not null,
  add column sealed bytea,
  add constraint server_secrets_kept check (value is not null or sealed is not null);
alter table callback_secrets
  alter column secret drop not null,
  add column sealed bytea,
  add column previous_sealed bytea,
  add constraint callback_secrets_kept check (secret is not null or sealed is not null);
