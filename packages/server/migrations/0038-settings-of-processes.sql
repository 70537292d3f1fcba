-- What processes on one database must have in common, as each found it when it started. Null for processes of earlier versions.
alter table processes add column settings jsonb;
