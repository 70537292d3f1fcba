#!/bin/sh
# Puts what a container needs into a folder: the packages without tests, and their dependencies without those for development.
#   deploy/assemble.sh FOLDER
# Run `node scripts/console.mjs`, `node scripts/server.mjs` and `npm run docs` first.
set -eu
mkdir -p "$1"
target=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
documentation=$([ -d site/dist ] && echo site/dist || true)
# shellcheck disable=SC2086
tar -cf - --exclude=node_modules --exclude='*.test.ts' --exclude='*.test.tsx' --exclude=testing --exclude=packages/reader/training \
  package.json package-lock.json LICENSE packages skills samples $documentation | tar -xf - -C "$target"
cd "$target"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
