#!/bin/sh
# The part of the official entry point that the product uses: POSTGRES_PASSWORD, and a command other than the server.
set -eu
[ "${1:-postgres}" = postgres ] || exec "$@"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?}"
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
[ $# -gt 0 ] && shift
exec postgres -c listen_addresses='*' "$@"
