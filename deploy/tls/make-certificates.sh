#!/bin/sh
# Certificates for the product's own PostgreSQL, NATS and Redis, of an authority of this installation, by openssl:
#   sh deploy/tls/make-certificates.sh <folder>          the authority, and a certificate for each server
#   sh deploy/tls/make-certificates.sh <folder> renew    new certificates of the same authority
# They are for the servers' names in compose and in the namespace `gatehouse`; NAMES=a.example,b.example adds others.
# Keep authority.key apart from the rest: who has it can pose as any of the servers.
set -eu
umask 077
folder=${1:?usage: make-certificates.sh <folder> [renew]}
AUTHORITY_DAYS=3650
SERVER_DAYS=397

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }

make_authority() {
  [ ! -e "$folder/authority.pem" ] || { echo "$folder holds an authority already; say renew for new certificates" >&2; exit 1; }
  mkdir -p "$folder"
  new_key "$folder/authority.key"
  openssl req -x509 -new -key "$folder/authority.key" -days $AUTHORITY_DAYS -sha256 -out "$folder/authority.pem" \
    -subj '/CN=Gatehouse stores' -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign'
}

# Names of a server: in compose, in its namespace, in the cluster, and on its own machine.
names_of() {
  list="DNS:$1,DNS:$1.gatehouse,DNS:$1.gatehouse.svc,DNS:$1.gatehouse.svc.cluster.local,DNS:localhost"
  # The servers of a cluster call each other by these, and show each other their certificates.
  [ "$1" != nats ] || for peer in nats-0 nats-1 nats-2; do
    list="$list,DNS:$peer.nats-peers,DNS:$peer.nats-peers.gatehouse.svc.cluster.local"
  done
  for name in $(echo "${NAMES:-}" | tr ',' ' '); do list="$list,DNS:$name"; done
  echo "$list"
}

make_certificate() {
  server=$folder/$1
  mkdir -p "$server"
  new_key "$server/server.key"
  printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=%s\n' \
    "$(names_of "$1")" >"$server/extensions"
  openssl req -new -key "$server/server.key" -subj "/CN=$1" |
    openssl x509 -req -sha256 -days $SERVER_DAYS -CA "$folder/authority.pem" -CAkey "$folder/authority.key" \
      -set_serial "0x$(openssl rand -hex 16)" -extfile "$server/extensions" -out "$server/server.crt" 2>/dev/null
  rm "$server/extensions"
}

[ "${2:-}" = renew ] || make_authority
for name in postgres nats redis; do make_certificate "$name"; done
chmod 644 "$folder/authority.pem"
echo "$folder: authority.pem, and server.crt and server.key for postgres, nats and redis"
