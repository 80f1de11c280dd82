#!/bin/bash
# Copies the primary on the first start, then runs PostgreSQL as its replica. The primary keeps up to 4 GB of write-ahead log
# for a replica that is away; after that, empty its volume to copy again.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD=$(cat /run/secrets/replication_password) gosu postgres pg_basebackup --host="$PRIMARY_HOST" \
    --username=replicator --pgdata="$PGDATA" --slot=replica --wal-method=stream --write-recovery-conf --checkpoint=fast
fi
exec docker-entrypoint.sh "$@"
