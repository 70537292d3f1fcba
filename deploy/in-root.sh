#!/bin/bash
# For try-image.sh and try-packages.sh: a root file system of Debian, and a server that runs in it as the user 1000 on a read-only root. They set
# `folder` for everything that is made and `root` for the root file system, and define `inside DATA COMMAND…`.

port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
since=$SECONDS
step() { echo "$((SECONDS - since)) s: $*"; }

# The packaged Node of the checkout.
node_of_the_checkout=node_modules/node-linux-$(uname -m | sed 's/x86_64/x64/;s/aarch64/arm64/')/bin/node

needs() {
  for tool; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install mmdebstrap bubblewrap npm" >&2; exit 2; }
  done
}

# make_root PACKAGES: Debian with these packages and Node 24, kept for the next time.
make_root() {
  mkdir -p "$folder"
  if [ ! -d "$root/usr" ]; then
    mmdebstrap --quiet --variant=minbase --include="$1" bookworm "$root"
    echo 'node:x:1000:1000::/home/node:/bin/sh' >>"$root/etc/passwd"
    echo 'node:x:1000:' >>"$root/etc/group"
  fi
  mkdir -p "$root/data" "$root/backup" "$root/home/node"
  install -m 755 "$node_of_the_checkout" "$root/usr/local/bin/node"
  step "root file system of Debian: $(du -sm "$root" | cut -f1) MB"
}

# in_root OPTIONS… COMMAND…: bubblewrap with the root read-only, not as root, and only these variables.
in_root() {
  bwrap --unshare-user --uid 1000 --gid 1000 --unshare-pid --unshare-ipc --unshare-uts --die-with-parent \
    --ro-bind "$root" / --proc /proc --dev /dev --tmpfs /tmp \
    --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv PORT "$port" --setenv OLLAMA_BASE_URL off \
    --setenv SKILLRUN_API_KEY the-key-of-the-image --setenv SKILLRUN_URL "http://127.0.0.1:$port" \
    "$@"
}

# start DATA COMMAND…: until the server is ready.
start() {
  inside "$@" >"$folder/server.log" 2>&1 &
  server=$!
  for _ in $(seq 480); do
    if curl -fsS "http://127.0.0.1:$port/readyz" >/dev/null 2>&1; then return; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.5
  done
  cat "$folder/server.log" >&2
  exit 1
}

# Bubblewrap does not pass signals on: the server is the first process below it that is neither it nor a shell.
stop() {
  [ -n "${server:-}" ] || return 0
  local leaf=$server
  while [ -n "$leaf" ]; do
    case $(ps -o comm= -p "$leaf") in bwrap | try-*.sh | bash | sh | npm*) leaf=$(pgrep -o -P "$leaf" || true) ;; *) break ;; esac
  done
  [ -z "$leaf" ] || kill -TERM "$leaf" 2>/dev/null || true
  wait "$server" || true
  server=
}

# Every complete record of the server, sorted. Signed URLs differ each time.
records() {
  curl -fsS -H 'Authorization: Bearer the-key-of-the-image' "http://127.0.0.1:$port/v1/agent/executions?limit=100" | node -e "
    const key = { Authorization: 'Bearer the-key-of-the-image' }
    const at = 'http://127.0.0.1:$port/v1/agent/executions/'
    const list = JSON.parse(require('fs').readFileSync(0))
    const unsigned = (text) => text.replace(/\?(?:expires|signature)=[^\"]*/g, '')
    Promise.all(list.map(({ id }) => id).sort().flatMap((id) => [id, id + '/steps'])
      .map((path) => fetch(at + path, { headers: key }).then((reply) => reply.text())))
      .then((all) => console.log(all.map(unsigned).join('\n')))"
}
