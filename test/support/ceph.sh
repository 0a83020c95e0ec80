#!/usr/bin/env bash
# Runs a command beside a real S3: the RADOS gateway of Ceph, as Debian packs it, on loopback and in memory.
#   test/support/ceph.sh COMMAND…
# The command finds it by AMBIT_TEST_S3_ENDPOINT, _KEY, _SECRET and _REGION. What is missing of the packages is installed
# when root asks, else 2 is the end. Everything is in one temporary directory, and is gone afterwards. Takes 1 GB at most.
set -euo pipefail
packages=(ceph-mon ceph-osd ceph-common radosgw)
at=
fsid=
is_up=
daemons=()

say() { printf 'ceph.sh: %s\n' "$*" >&2; }

install() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    say "needs the Debian packages ${missing[*]}"
    exit 2
  fi
  say "installs ${missing[*]}"
  local apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=300) told
  # Lists that are old, or of which one cannot be had, may do: installing tells.
  "${apt[@]}" update >/dev/null 2>&1 || true
  told=$(DEBIAN_FRONTEND=noninteractive "${apt[@]}" install --no-install-recommends "${missing[@]}" 2>&1) && return 0
  tail -n 3 <<<"$told" >&2
  say "could not install ${missing[*]}. Is there a way from this machine to a mirror of Debian?"
  exit 2
}

free_ports() {
  node -e '
    const servers = Array.from({ length: Number(process.argv[1]) }, () => require("node:net").createServer().listen(0, "127.0.0.1"))
    setTimeout(() => { for (const server of servers) { console.log(server.address().port); server.close() } }, 50)' "$1"
}

stop() {
  local status=$?
  trap - EXIT
  if [ ${#daemons[@]} -gt 0 ]; then
    kill -KILL "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
  fi
  if [ -n "$at" ]; then
    [ -n "$is_up" ] || tail -n 5 "$at"/*.log >&2 2>/dev/null || true
    rm -rf "$at"
  fi
  exit "$status"
}

# A monitor, one OSD that keeps its objects in memory, the gateway. cephx throughout: the gateway does not start without.
configure() {
  local monitor=$1 gateway=$2
  fsid=$(cat /proc/sys/kernel/random/uuid)
  cat >"$at/ceph.conf" <<END
[global]
fsid = $fsid
run dir = $at
admin socket = $at/\$name.asok
log file = $at/\$name.log
log to stderr = false
err to stderr = false
mon initial members = a
mon host = v2:127.0.0.1:$monitor
public network = 127.0.0.0/8
keyring = $at/keyring
mon data = $at/mon
osd data = $at/osd
auth allow insecure global id reclaim = false
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
osd max object size = 134217728
rgw frontends = beast endpoint=127.0.0.1:$gateway tcp_nodelay=1
rgw data = $at/rgw
rgw thread pool size = 128
rgw enable usage log = false
END
}

start() {
  "$@" --foreground --conf "$at/ceph.conf" >>"$at/start.log" 2>&1 &
  daemons+=($!)
}

# waited SECONDS COMMAND…: until it succeeds, while all daemons run.
waited() {
  local until=$((SECONDS + $1)) daemon
  shift
  until "$@" >/dev/null 2>&1; do
    for daemon in "${daemons[@]}"; do kill -0 "$daemon" || { say 'a daemon ended'; return 1; }; done
    [ $SECONDS -lt "$until" ] || { say "did not come up: $*"; return 1; }
    sleep 0.2
  done
}

start_cluster() {
  local keyring=$at/keyring conf=(--conf "$at/ceph.conf")
  mkdir "$at/mon" "$at/osd" "$at/rgw"
  ceph-authtool --create-keyring "$keyring" --gen-key -n mon. --cap mon 'allow *' >/dev/null
  ceph-authtool "$keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' >/dev/null
  ceph-authtool "$keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' >/dev/null
  ceph-authtool "$keyring" --gen-key -n client.rgw --cap mon 'allow rw' --cap osd 'allow rwx' >/dev/null
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$1]" "$at/monmap" >/dev/null
  ceph-mon "${conf[@]}" --mkfs --id a --monmap "$at/monmap" --keyring "$keyring"
  start ceph-mon --id a
  local osd
  osd=$(cat /proc/sys/kernel/random/uuid)
  timeout 60 ceph "${conf[@]}" osd new "$osd" 0 >/dev/null
  ceph-osd "${conf[@]}" --id 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
  start ceph-osd --id 0
  start radosgw --name client.rgw
}

gateway_answers() { node -e 'fetch(process.argv[1]).then(() => process.exit(0), () => process.exit(1))' "$1"; }

create_user() {
  timeout 60 radosgw-admin --conf "$at/ceph.conf" user create --uid ambit --display-name ambit \
    --access-key "$1" --secret-key "$2" --max-buckets 0 >/dev/null
}

[ $# -gt 0 ] || { say 'needs a command'; exit 2; }
install
trap stop EXIT
trap 'exit 130' INT TERM
at=$(mktemp -d)
mapfile -t ports < <(free_ports 2)
configure "${ports[@]}"
start_cluster "${ports[0]}"
endpoint=http://127.0.0.1:${ports[1]}
waited 90 gateway_answers "$endpoint"
key=AMBITTESTKEY00000001 secret=ambit-test-secret-of-no-worth-0000000001
create_user "$key" "$secret"
say "$(radosgw --version | cut -d' ' -f1-3) answers at $endpoint after $SECONDS s"
is_up=yes
AMBIT_TEST_S3_ENDPOINT=$endpoint AMBIT_TEST_S3_KEY=$key AMBIT_TEST_S3_SECRET=$secret AMBIT_TEST_S3_REGION=us-east-1 "$@"
