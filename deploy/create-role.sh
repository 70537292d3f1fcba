#!/bin/sh
# The PostgreSQL image runs this on a new volume: it creates a role for Skillrun without superuser rights, and a database that it owns.
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set password="$SKILLRUN_PASSWORD" <<'SQL'
create role skillrun login password :'password' nosuperuser nocreatedb nocreaterole nobypassrls;
create database skillrun owner skillrun;
revoke connect on database skillrun from public;
SQL
