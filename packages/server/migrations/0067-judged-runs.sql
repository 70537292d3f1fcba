-- The latest checked answers of a program, in both orders: only some of its runs are checked.
create index program_runs_judged on program_runs (workspace_id, program_id, judged_at desc) where disagreed is not null;
create index program_runs_in_doubt on program_runs (workspace_id, program_id, (case when disagreed then judged_at else created_at end) desc)
  where disagreed is not null;
