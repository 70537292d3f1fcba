import { readFile } from 'node:fs/promises'
import type { BundleSource } from './bundle.ts'
import { readZip } from './read-zip.ts'

/** See `readBundleFileJob`. */
export default async function readBundleFile(asked: {
  bundle: Exclude<BundleSource, { files: unknown }>
  path: string
}): Promise<Uint8Array | null> {
  const { bundle, path } = asked
  const { files } = await readZip('path' in bundle ? await readFile(bundle.path) : Buffer.from(bundle.zip))
  return files.get(path) ?? null
}
