-- Entries of the log are not taken away either, one by one or all at once.
create trigger audit_is_not_deleted before delete on audit for each row execute function refuse_change();
create trigger audit_is_not_emptied before truncate on audit for each statement execute function refuse_change();
