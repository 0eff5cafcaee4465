#!/usr/bin/env bash
# The whole product in containers, from this checkout, with `npm run demo` and a backup; leaves nothing running. Needs a
# built checkout (npm run build).
#   tools/images/try-compose.sh [tls]   with tls, PostgreSQL, NATS and Redis speak nothing else
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'SKIPPED: a Docker engine of our own needs root on Debian; the images were not built'
  exit 0
fi
eval "$(tools/images/engine.sh start)"
tools/images/base-images.sh

work=$(mktemp -d)
export COMPOSE_PROJECT_NAME=gatehouse-try COMPOSE_FILE=docker-compose.yml:deploy/docker/compose.demo.yml
export GATEWAY_PORT=${GATEWAY_PORT:-3900} CERTIFICATES=$work/certificates
[ "${1:-}" != tls ] || COMPOSE_FILE=$COMPOSE_FILE:deploy/docker/compose.tls.yml
compose() { docker compose --env-file "$work/env" "$@"; }
trap 'compose --profile demo --profile operate down --volumes --remove-orphans >/dev/null 2>&1 || true; tools/images/engine.sh stop; rm -rf "$work"' EXIT

node deploy/make-secrets.mjs >"$work/env"
cat >>"$work/env" <<'ENV'
BASE_IMAGE=gatehouse-stand-in/node:24
POSTGRES_IMAGE=gatehouse-stand-in/postgres:15
NATS_IMAGE=gatehouse-stand-in/nats:2.10
REDIS_IMAGE=gatehouse-stand-in/redis:7
ENV
[ "${1:-}" != tls ] || sh deploy/tls/make-certificates.sh "$CERTIFICATES"
compose build
compose up --detach --wait
docker image ls 'gatehouse/*' --format '{{.Repository}} {{.Size}}'
compose run --rm demo
compose run --rm operate reseal --check
compose run --rm backup
