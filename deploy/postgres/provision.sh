#!/bin/sh
# Makes the databases and roles of every service on the server that PGHOST, PGUSER and PGPASSWORD name.
set -eu
for service in identity tenancy pam audit notifier; do
  psql --quiet --no-psqlrc --dbname postgres --set service="$service" --file "$(dirname "$0")/provision.sql"
done
