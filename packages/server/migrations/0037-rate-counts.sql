-- Requests of the present minute, by key, by key and route, and by address for keys that are not valid: shared by all
-- processes. Of no workspace; losing them with the database loses nothing.
create unlogged table rate_counts (
  who      text primary key,
  began_at timestamptz not null,
  taken    bigint not null
);
