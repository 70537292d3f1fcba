-- A row's times are in order whatever the clocks of the servers do between its writes: each is at least the one named before it.
create function keep_times_in_order() returns trigger language plpgsql as $$
declare
  name   text;
  moment timestamptz;
  latest timestamptz;
begin
  foreach name in array tg_argv loop
    execute format('select ($1).%I', name) into moment using new;
    if moment < latest then
      new := jsonb_populate_record(new, jsonb_build_object(name, latest));
    end if;
    latest := greatest(latest, moment);
  end loop;
  return new;
end $$;

-- The conditions keep the function from being called where nothing is to be done.
create trigger times_in_order before insert or update on executions for each row
  when (new.started_at < new.created_at or new.completed_at < greatest(new.created_at, new.started_at) or new.purged_at < new.completed_at)
  execute function keep_times_in_order('created_at', 'started_at', 'completed_at', 'purged_at');
create trigger times_in_order before insert or update on steps for each row
  when (new.ended_at < new.started_at) execute function keep_times_in_order('started_at', 'ended_at');
create trigger times_in_order before insert or update on callbacks for each row
  when (new.round_started_at < new.created_at) execute function keep_times_in_order('created_at', 'round_started_at');
create trigger times_in_order before insert or update on keys for each row
  when (new.revoked_at < new.created_at) execute function keep_times_in_order('created_at', 'revoked_at');
create trigger times_in_order before insert or update on files for each row
  when (new.deleted_at < new.created_at) execute function keep_times_in_order('created_at', 'deleted_at');
create trigger times_in_order before insert or update on agents for each row
  when (new.updated_at < new.created_at) execute function keep_times_in_order('created_at', 'updated_at');
create trigger times_in_order before insert or update on skills for each row
  when (new.updated_at < new.created_at or new.deleted_at < greatest(new.created_at, new.updated_at))
  execute function keep_times_in_order('created_at', 'updated_at', 'deleted_at');
create trigger times_in_order before insert or update on evaluations for each row
  when (new.completed_at < new.created_at) execute function keep_times_in_order('created_at', 'completed_at');
create trigger times_in_order before insert or update on programs for each row
  when (new.decided_at < new.created_at or new.deleted_at < greatest(new.created_at, new.decided_at))
  execute function keep_times_in_order('created_at', 'decided_at', 'deleted_at');

-- Which workspace is the first, whose admins run the server: by the order in which they were made, not by what the clock said then.
alter table workspaces add column number bigint;
update workspaces set number = ordered.n
  from (select id, row_number() over (order by created_at, id) as n from workspaces) ordered where ordered.id = workspaces.id;
alter table workspaces alter column number set not null;
alter table workspaces alter column number add generated always as identity;
select setval(pg_get_serial_sequence('workspaces', 'number'), max(number)) from workspaces having max(number) is not null;
create unique index workspaces_by_number on workspaces (number);
