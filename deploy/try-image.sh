#!/bin/bash
# Builds the root file system of the container image without Docker, by Debian's mmdebstrap, and runs the server in it by
# bubblewrap: not as root, with a read-only root file system. Then executes, backs up, restores, and compares.
#   deploy/try-image.sh [FOLDER]
# Needs root (or user namespaces), the Debian packages mmdebstrap and bubblewrap, npm, and their registries. FOLDER keeps the root file system
# for the next time. Not tried here: the base image node:24-bookworm-slim itself (Debian bookworm and our packaged Node stand
# for it) and the seccomp profile, which needs a container runtime.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in mmdebstrap bwrap npm; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install mmdebstrap bubblewrap npm" >&2; exit 2; }
done

folder=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
root=$folder/root
mkdir -p "$folder"
since=$SECONDS
step() { echo "$((SECONDS - since)) s: $*"; }

if [ ! -d "$root/usr" ]; then
  # As in the Dockerfile, without what the base image has for building.
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,ffmpeg,bubblewrap,python3 bookworm "$root"
  echo 'node:x:1000:1000::/home/node:/bin/sh' >>"$root/etc/passwd"
  echo 'node:x:1000:' >>"$root/etc/group"
fi
step "root file system of Debian: $(du -sm "$root" | cut -f1) MB"
install -m 755 "node_modules/node-linux-$(uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')/bin/node" "$root/usr/local/bin/node"
rm -rf "$root/app"
deploy/assemble.sh "$root/app" >/dev/null
mkdir -p "$root/data" "$root/backup"
step "the application: $(du -sm "$root/app" | cut -f1) MB"

data=$folder/data restored=$folder/restored backup=$folder/backup
rm -rf "$data" "$restored" "$backup"
mkdir -p "$data" "$restored" "$backup"
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")

# Runs a command as the container would, with a data folder.
inside() {
  local at=$1
  shift
  bwrap --unshare-user --uid 1000 --gid 1000 --unshare-pid --unshare-ipc --unshare-uts --die-with-parent \
    --ro-bind "$root" / --proc /proc --dev /dev --tmpfs /tmp --bind "$at" /data --bind "$backup" /backup --chdir /app \
    --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /tmp --setenv SKILLRUN_DATA /data --setenv PORT "$port" \
    --setenv SKILLRUN_API_KEY the-key-of-the-image --setenv SKILLRUN_URL "http://127.0.0.1:$port" --setenv OLLAMA_BASE_URL off \
    "$@"
}
skillrun() { inside "$data" node packages/cli/skillrun.mjs "$@"; }

start() {
  inside "$1" node packages/server/src/main.mjs >"$folder/server.log" 2>&1 &
  server=$!
  for _ in $(seq 240); do
    if curl -fsS "http://127.0.0.1:$port/readyz" >/dev/null 2>&1; then return; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.5
  done
  cat "$folder/server.log" >&2
  exit 1
}
stop() {
  # Bubblewrap does not pass signals on: the server is the first process below it that is something else.
  local leaf=$server
  while [ -n "$leaf" ]; do
    case $(ps -o comm= -p "$leaf") in bwrap | try-image.sh | bash) leaf=$(pgrep -o -P "$leaf" || true) ;; *) break ;; esac
  done
  [ -z "$leaf" ] || kill -TERM "$leaf" 2>/dev/null || true
  wait "$server" || true
}
records() {
  skillrun --json executions list | node -e "const page = JSON.parse(require('fs').readFileSync(0)); const list = Array.isArray(page) ? page : Object.values(page).find(Array.isArray); console.log(JSON.stringify(list.map(({ id, status }) => [id, status])))"
}

start "$data"
keep=$#
trap 'stop 2>/dev/null; [ "$keep" -gt 0 ] || rm -rf "$folder"' EXIT
step 'the server is ready'
inside "$data" sh -c 'test "$(id -u)" = 1000 && ! touch /app/written 2>/dev/null && ! touch /etc/written 2>/dev/null'
step 'it is not root, and its root file system is read-only'
skillrun doctor || true
skillrun execute -i samples/invoice.pdf --skill invoice-extraction | grep -q KR-2026-0318
step 'an execution on a PDF'
before=$(records)
inside "$data" node packages/cli/skillrun.mjs backup /backup --include-key
stop
inside "$restored" node packages/cli/skillrun.mjs restore /backup --data /data
start "$restored"
data=$restored
after=$(records)
[ "$before" = "$after" ] || { echo "restored: $after, before: $before" >&2; exit 1; }
step "backed up, restored in another place, the same records: $after"
