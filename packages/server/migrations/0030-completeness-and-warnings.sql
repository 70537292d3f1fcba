-- How much of what the schema asks for was found; null without a schema, and for executions that ended before this.
alter table executions add column completeness json;
-- What a caller should know about the request or the answer: an array of {code, path, message}.
alter table executions add column warnings jsonb not null default '[]';
