-- Fields that a ready program leaves to an agent since too many of its latest answers to them were wrong, as JSON Pointers.
alter table programs add column lost_fields json not null default '[]';
