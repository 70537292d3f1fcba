-- What a finished review says of the values that had a confidence: [{confidence, right}].
alter table review_items add column judged jsonb;

-- The share of wrong values to which `below` is kept by what reviews say; null: `below` stays as it was set.
alter table review_settings add column max_wrong_rate double precision;
