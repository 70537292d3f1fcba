-- What runs made counts against the storage quota of its workspace too.
insert into storage as s (workspace_id, bytes)
  select workspace_id, sum(bytes) from artifacts group by workspace_id
  on conflict (workspace_id) do update set bytes = s.bytes + excluded.bytes;
