-- Each run of a program is booked as a row of its own, and added to the sums of its program now and then: were they written
-- with each run, every end would wait for the one before it, its wait for the disk included.
alter table program_runs
  add column micros     bigint not null default 0,
  add column ms         integer not null default 0,
  -- Whether the sums in programs hold it.
  add column is_counted boolean not null default true;
create index program_runs_uncounted on program_runs (workspace_id, program_id) include (micros, ms) where not is_counted;
-- No program is ever deleted but by its mark, and looking for it would lock its row for each run.
alter table program_runs drop constraint program_runs_program_id_fkey;
