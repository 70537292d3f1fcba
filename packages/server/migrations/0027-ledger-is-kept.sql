-- Rows of the ledger are only added: whoever would change one finds that he cannot.
create trigger ledger_is_kept before update on ledger for each row execute function refuse_change();
