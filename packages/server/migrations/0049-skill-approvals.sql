-- Read at every execution with a skill, like the other pinned columns.
alter table skills
  add column pinned_require_approval json generated always as (facts->'requireApproval') stored;
