-- Who judged an answer of a program, from the most independent: human, case, other_model, same_engine. A stronger judge replaces a weaker one.
alter table program_runs
  add column judged_by text check (judged_by in ('human', 'case', 'other_model', 'same_engine')),
  add column judged_at timestamptz;
-- Nobody wrote down who judged earlier answers: they are no evidence for their program.
update program_runs set judged_by = 'same_engine', judged_at = created_at where disagreed is not null;

alter table programs
  -- {judge: {answers, wrong}}
  add column judgements json not null default '{}',
  -- The engine that wrote it, `embedded` or `provider/model`; null where it is not known any more.
  add column written_by text;
update programs set judgements = json_build_object('same_engine', json_build_object('answers', shadow_runs, 'wrong', shadow_wrong))
  where shadow_runs > 0;
update programs p set written_by = case
  when p.origin = 'embedded' then 'embedded'
  else (select e.answered_by from executions e where e.workspace_id = p.workspace_id and e.id = p.execution_id) end;
