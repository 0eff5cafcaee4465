#!/usr/bin/env bash
# A Docker engine of our own on a Debian machine that has none: packages are unpacked, not installed. Needs root.
#   eval "$(tools/images/engine.sh start)"   starts it and sets DOCKER_HOST and DOCKER_CONFIG
#   tools/images/engine.sh stop              ends it, by the process id that it wrote
# ENGINE_HOME (default /tmp/gatehouse-engine) holds everything: programs, images, socket, log.
set -euo pipefail

. "$(cd "$(dirname "$0")" && pwd)/archive.sh"

home=${ENGINE_HOME:-/tmp/gatehouse-engine}
root=$home/root
plugins=$home/config/cli-plugins

# The plugins are not in Debian 12; those of Debian 13 run on it.
ENGINE='docker.io containerd runc tini iptables libip4tc2 libip6tc2 libxtables12 libnftnl11 libmnl0 libnfnetlink0 libnetfilter-conntrack3 debootstrap'
PLUGINS='docker-compose docker-buildx'

# Downloads packages and unpacks them: fetch <release> <directory> <packages>
fetch() {
  local apt=$home/apt/$1
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,debs} "$2"
  cat >"$apt/apt.conf" <<CONF
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
APT::Sandbox::User "root";
CONF
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_archive) $1 main" >"$apt/sources.list"
  (
    cd "$apt/debs"
    export APT_CONFIG=$apt/apt.conf
    apt-get -q update && apt-get -q download $3
    for deb in *.deb; do dpkg-deb -x "$deb" "$2"; done
  ) >>"$home/fetch.log" 2>&1
}

unpack() {
  mkdir -p "$home" "$plugins"
  [ -x "$root/usr/sbin/dockerd" ] || fetch bookworm "$root" "$ENGINE"
  if [ ! -x "$plugins/docker-compose" ]; then
    fetch trixie "$home/trixie" "$PLUGINS"
    find "$home/trixie" -path '*/cli-plugins/docker-*' -type f -exec cp {} "$plugins/" \;
  fi
  # The engine calls iptables by name; the variant without alternatives set up is the nft one.
  [ -e "$home/bin/iptables" ] && return
  mkdir -p "$home/bin"
  for name in iptables ip6tables; do ln -sf "$root/usr/sbin/xtables-nft-multi" "$home/bin/$name"; done
}

answers() { DOCKER_HOST=unix://$home/docker.sock "$root/usr/bin/docker" info >/dev/null 2>&1; }

start() {
  unpack
  if ! answers; then
    export PATH=$home/bin:$root/usr/sbin:$root/usr/bin:$PATH
    LD_LIBRARY_PATH=$root/usr/lib/$(uname -m)-linux-gnu XTABLES_LIBDIR=$root/usr/lib/$(uname -m)-linux-gnu/xtables \
      setsid dockerd --host "unix://$home/docker.sock" --data-root "$home/data" --exec-root "$home/exec" --pidfile "$home/dockerd.pid" \
      >"$home/dockerd.log" 2>&1 </dev/null &
    for _ in $(seq 60); do answers && break || sleep 0.5; done
    answers || { tail -5 "$home/dockerd.log" >&2; exit 1; }
  fi
  echo "export DOCKER_HOST=unix://$home/docker.sock DOCKER_CONFIG=$home/config PATH=$root/usr/bin:\$PATH ENGINE_HOME=$home"
}

stop() {
  [ -f "$home/dockerd.pid" ] || return 0
  local pid
  pid=$(cat "$home/dockerd.pid")
  kill "$pid" && while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
}

case ${1:-} in
  start | stop) "$1" ;;
  *) echo "usage: $0 start|stop" >&2; exit 2 ;;
esac
