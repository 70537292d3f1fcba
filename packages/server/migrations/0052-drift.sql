-- Answers of programs that were not given: an agent answered instead, and its answer judged the program's.
alter table program_runs add column is_withheld boolean not null default false;
alter table programs
  -- Who seems to have drifted since the checked answers disagree: {program, judge: disagreements, since, fields}; null: nobody.
  add column drift json,
  -- What no known document has, but documents had whose answers an independent judge found right: a list of strings.
  add column accepted json not null default '[]';
