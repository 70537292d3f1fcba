-- Ended executions whose content is still there, oldest first: retention would otherwise read the whole table for every 200 of them.
create index executions_to_purge_by_age on executions (completed_at) where purged_at is null;
