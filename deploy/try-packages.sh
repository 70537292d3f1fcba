#!/bin/bash
# Installs the packages as they are published on a machine that has nothing but Debian, Node and npm, runs the server, backs it up, upgrades it to the next
# build, restores the backup on another such machine, and compares every record and its steps. The machines are root file systems of
# mmdebstrap, run by bubblewrap: not as root, read-only but for the home and data folders.
#   deploy/try-packages.sh [FOLDER]
# Needs root (or user namespaces), the Debian packages mmdebstrap and bubblewrap, npm, and their registries. FOLDER keeps the root file system for the next time.
# The next build is this checkout with one more migration.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
root=$folder/plain
keep=$#
# shellcheck source=deploy/in-root.sh
. deploy/in-root.sh
trap 'stop 2>/dev/null; [ "$keep" -gt 0 ] || rm -rf "$folder"' EXIT
needs mmdebstrap bwrap npm node curl

make_root ca-certificates
mkdir -p "$root/this" "$root/next"
[ -d "$root/usr/local/lib/node_modules/npm" ] || npm install --silent --global --prefix "$root/usr/local" npm@11
rm -rf "$folder"/one "$folder"/two "$folder"/this "$folder"/next "$folder"/saved
mkdir -p "$folder"/one/data "$folder"/two/data "$folder"/saved
cp samples/invoice.pdf "$folder/one"
cp samples/invoice.pdf "$folder/two"

"$node_of_the_checkout" scripts/release.mjs 7.8.9 --dry-run --out "$folder/this" >/dev/null 2>&1
"$node_of_the_checkout" scripts/release.mjs 7.9.0 --dry-run --out "$folder/next" >/dev/null 2>&1
mkdir "$folder/next/changed"
tar -xzf "$folder/next/skillrun-server-7.9.0.tgz" -C "$folder/next/changed"
migrations=$folder/next/changed/package/migrations
last=$(basename "$(printf '%s\n' "$migrations"/*.sql | sort | tail -n 1)")
number=$(printf %04d $((10#${last%%-*} + 1)))
echo 'alter table executions add column later integer not null default 7;' >"$migrations/$number-later.sql"
tar -czf "$folder/next/skillrun-server-7.9.0.tgz" -C "$folder/next/changed" package
step 'this build and the next are packed'

# inside MACHINE COMMAND…: as its user, in its home. npm gets the settings of this machine for its registry.
inside() {
  local machine=$1
  shift
  local network=(--ro-bind /etc/resolv.conf /etc/resolv.conf --setenv npm_config_registry "$(npm config get registry)")
  [ ! -d /etc/ssl/certs ] || network+=(--ro-bind /etc/ssl/certs /etc/ssl/certs)
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || network+=(--setenv NODE_EXTRA_CA_CERTS "$NODE_EXTRA_CA_CERTS")
  for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || network+=(--setenv "$name" "${!name}")
  done
  in_root "${network[@]}" --setenv HOME /home/node --setenv SKILLRUN_DATA /home/node/data --chdir /home/node \
    --bind "$folder/$machine" /home/node --bind "$folder/saved" /backup --ro-bind "$folder/this" /this --ro-bind "$folder/next" /next "$@"
}
packages='core client reader console server'
add() {
  local machine=$1 build=$2 version=$3
  # shellcheck disable=SC2046
  inside "$machine" npm install --silent --no-audit --no-fund --cache /home/node/.npm \
    $(for name in $packages; do echo "/$build/skillrun-$name-$version.tgz"; done) "/$build/skillrun-$version.tgz"
}

inside one sh -c 'for tool in git python3 curl bwrap ffmpeg psql gcc; do ! command -v $tool || exit 1; done'
add one this 7.8.9
step "installed on a machine without git, python, curl, bubblewrap, ffmpeg, a compiler or fonts: $(du -sm "$folder/one/node_modules" | cut -f1) MB"
start one npx skillrun
step "the server is ready: $(inside one npx skillrun --version)"
inside one npx skillrun execute invoice.pdf 2>/dev/null | grep -q KR-2026-0318
inside one npx skillrun execute -i invoice.pdf --skill invoice-extraction 2>/dev/null | grep -q KR-2026-0318
records >"$folder/before"
inside one npx skillrun backup /backup --include-key >/dev/null
step "executed and backed up: $(grep -c '"status":"completed"' "$folder/before") records"
stop

add one next 7.9.0
start one npx skillrun
records >"$folder/upgraded"
cmp "$folder/before" "$folder/upgraded" || { echo 'the upgrade changed records' >&2; exit 1; }
step "upgraded to $(inside one npx skillrun --version), migrated to $number: the same records"
stop

add one this 7.8.9
if inside one npx skillrun >"$folder/server.log" 2>&1; then echo 'the earlier build started on the database of the next' >&2; exit 1; fi
grep -q 'of a newer version' "$folder/server.log" || { cat "$folder/server.log" >&2; exit 1; }
step "the earlier build refuses it: $(grep -o 'The database has migration [^"]*' "$folder/server.log" | head -n 1)"

add two next 7.9.0
inside two npx skillrun restore /backup --data /home/node/data >/dev/null
start two npx skillrun
records >"$folder/restored"
cmp "$folder/before" "$folder/restored" || { echo 'the restored records differ' >&2; exit 1; }
inside two npx skillrun execute invoice.pdf 2>/dev/null | grep -q KR-2026-0318
step 'restored on another machine by the next build: the same records, and it executes'
stop
