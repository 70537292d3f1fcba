-- Fields of a run that its program left to an agent: a list of JSON Pointers.
alter table program_runs add column left_fields json not null default '[]';
-- The judgements of each field of a program: {pointer: {judge: {answers, wrong}}}.
alter table programs add column field_judgements json not null default '{}';
