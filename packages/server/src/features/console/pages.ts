import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A built file of the console. */
export interface PageFile {
  readonly contentType: string
  readonly etag: string
  /** By content encoding; `identity` always exists. */
  readonly bytes: Readonly<Record<'identity', Buffer>> & Readonly<Partial<Record<'br' | 'gzip', Buffer>>>
}

/** The built console: `index.html` and `assets/…` by path. */
export type Pages = ReadonlyMap<string, PageFile>

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.gif': 'image/gif',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  // The files of the built-in skills.
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.pdf': 'application/pdf',
}
const compressible = new Set(['.html', '.js', '.css', '.svg'])

/** Reads the precompressed console; an empty map if it is not built. */
export async function readPages(folder: string): Promise<Pages> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const known = names.map((name) => name.replaceAll('\\', '/')).filter((name) => extname(name) in contentTypes)
  const files = known.map(async (name) => [name, await readPage(join(folder, name))] as const)
  return new Map(await Promise.all(files))
}

async function readPage(path: string): Promise<PageFile> {
  return pageFile(await readFile(path), extname(path))
}

/** A page that is no file. */
export const madePage = (html: string): PageFile => pageFile(Buffer.from(html), '.html')

function pageFile(identity: Buffer, extension: string): PageFile {
  return {
    contentType: contentTypes[extension] ?? 'application/octet-stream',
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    bytes: compressible.has(extension)
      ? { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) }
      : { identity },
  }
}
