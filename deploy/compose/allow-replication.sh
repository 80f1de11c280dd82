#!/bin/bash
# Run once by the image of PostgreSQL, in the new primary: a role for the replica, and its way in.
set -euo pipefail
password=$(cat /run/secrets/replication_password)
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --set=password="$password" <<'SQL'
create role replicator replication login password :'password';
select pg_create_physical_replication_slot('replica');
alter system set max_slot_wal_keep_size = '4GB';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
