-- Fields of which the judge of a run says nothing: a list of JSON Pointers.
alter table program_runs add column silent_fields json not null default '[]';
