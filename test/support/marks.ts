import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Log } from '../../packages/server/src/core/log.ts'
import type { TestService } from './service.ts'

/** A log that keeps every line at every level, errors with their stacks and causes. */
export function listeningLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const write = (fields: object, message: string) => {
    lines.push(
      JSON.stringify(fields, (_, value) => (value instanceof Error ? `${value.stack} ${value.cause}` : value)) +
        message,
    )
  }
  return { lines, log: { debug: write, info: write, warn: write, error: write } }
}

/** The places that contain a marker: tables, with compressed columns unpacked; files of the data folder; lines of the log. */
export async function placesOf(mark: string, { service, lines }: { service: TestService; lines: readonly string[] }) {
  const { db } = service.database
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const places: string[] = []
  const forms = [mark, Buffer.from(mark).toString('hex'), Buffer.from(mark).toString('base64').slice(0, 12)]
  const holds = (text: string) => forms.some((form) => text.includes(form))
  for (const { name } of tables) {
    const rows = await db.query<Record<string, unknown>>(`select t.*, t::text as "whole row" from ${name} t`)
    const isFound = rows.some((row) =>
      Object.values(row).some((value) =>
        typeof value === 'string' ? holds(value) : Buffer.isBuffer(value) && unpacked(value).some(holds),
      ),
    )
    if (isFound) places.push(name)
  }
  // The blob folder is a link, which a recursive search does not follow.
  const folders = [service.dataFolder, join(service.dataFolder, 'blobs')]
  const entries = await Promise.all(folders.map((one) => readdir(one, { recursive: true, withFileTypes: true })))
  for (const entry of entries.flat()) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // Files deleted during the search are gone.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    if (holds(path) || unpacked(bytes).some(holds)) places.push(path)
  }
  if (lines.some(holds)) places.push('log')
  return places
}

/** Bytes as text, as they are and uncompressed. */
function unpacked(bytes: Buffer): string[] {
  const ways = [(all: Buffer) => all, zstdDecompressSync, gunzipSync, inflateSync, brotliDecompressSync]
  return ways.flatMap((way) => {
    try {
      return [way(bytes).toString('latin1')]
    } catch {
      return []
    }
  })
}
