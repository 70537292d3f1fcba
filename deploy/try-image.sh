#!/bin/bash
# Builds the root file system of the container image without Docker, by Debian's mmdebstrap, and runs the server in it by
# bubblewrap: not as root, with a read-only root file system, under deploy/seccomp.json. Then executes, backs up, restores, and compares.
#   deploy/try-image.sh [FOLDER]
# Needs root (or user namespaces), the Debian packages mmdebstrap, bubblewrap and python3-seccomp, npm, and their registries. FOLDER keeps the root file
# system for the next time. Not tried here: the base image node:24-bookworm-slim itself (Debian bookworm and our packaged Node stand
# for it), and a container runtime.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
root=$folder/root
keep=$#
# shellcheck source=deploy/in-root.sh
. deploy/in-root.sh
trap 'stop 2>/dev/null; [ "$keep" -gt 0 ] || rm -rf "$folder"' EXIT
needs mmdebstrap bwrap npm node curl

# As in the Dockerfile, without what the base image has for building.
make_root ca-certificates,ffmpeg,bubblewrap,python3
rm -rf "$root/app"
deploy/assemble.sh "$root/app" >/dev/null 2>&1
step "the application: $(du -sm "$root/app" | cut -f1) MB"

# The profile as the program that the kernel takes; calls that this processor does not have are left out.
/usr/bin/python3 - deploy/seccomp.json "$folder/seccomp.bpf" <<'END'
import json, sys, seccomp
profile = json.load(open(sys.argv[1]))
assert profile['defaultAction'] == 'SCMP_ACT_ALLOW', profile['defaultAction']
program = seccomp.SyscallFilter(seccomp.ALLOW)
for rule in profile['syscalls']:
    assert rule['action'] == 'SCMP_ACT_ERRNO', rule
    for name in rule['names']:
        if seccomp.resolve_syscall(seccomp.Arch(), name) >= 0:
            program.add_rule(seccomp.ERRNO(rule['errnoRet']), name)
program.export_bpf(open(sys.argv[2], 'wb'))
END

data=$folder/data restored=$folder/restored backup=$folder/backup
rm -rf "$data" "$restored" "$backup"
mkdir -p "$data" "$restored" "$backup"

# Runs a command as the container would, with a data folder.
inside() {
  local at=$1
  shift
  in_root --seccomp 9 --setenv HOME /tmp --setenv SKILLRUN_DATA /data --chdir /app --bind "$at" /data --bind "$backup" /backup "$@" 9<"$folder/seccomp.bpf"
}
skillrun() { inside "$data" node packages/cli/skillrun.mjs "$@"; }

start "$data" node --max-semi-space-size=16 packages/server/src/main.mjs
step 'the server is ready'
inside "$data" sh -c 'test "$(id -u)" = 1000 && ! touch /app/written 2>/dev/null && ! touch /etc/written 2>/dev/null'
step 'it is not root, and its root file system is read-only'
inside "$data" python3 -c 'import ctypes; libc = ctypes.CDLL(None, use_errno=True); assert libc.ptrace(0, 0, 0, 0) == -1 and ctypes.get_errno() == 1'
skillrun --json doctor | node -e "
  const checks = JSON.parse(require('fs').readFileSync(0))
  const bad = checks.filter(({ name, status }) => status === 'missing' || (status !== 'ok' && ['bubblewrap', 'ffmpeg', 'fonts', 'interpreters'].includes(name)))
  for (const { name, found } of bad) console.error(name + ': ' + found)
  process.exit(bad.length)"
step 'under the seccomp profile, which refuses ptrace, the sandbox of scripts works; nothing is missing'
skillrun execute -i samples/invoice.pdf --skill invoice-extraction 2>/dev/null | grep -q KR-2026-0318
step 'an execution on a PDF'
records >"$folder/before"
inside "$data" node packages/cli/skillrun.mjs backup /backup --include-key >/dev/null
stop
inside "$restored" node packages/cli/skillrun.mjs restore /backup --data /data >/dev/null
start "$restored" node --max-semi-space-size=16 packages/server/src/main.mjs
data=$restored
records >"$folder/after"
cmp "$folder/before" "$folder/after"
step "backed up, restored in another place, the same $(grep -c '"status":"completed"' "$folder/after") records with their steps"
