import { readFile } from 'node:fs/promises'
import { type BundleSource, badBundle, type CheckedBundle } from './bundle.ts'
import { atRoot, readFacts } from './read-facts.ts'
import { readZip } from './read-zip.ts'
import { writeZip } from './write-zip.ts'

/** See `checkBundleJob`. */
export default async function checkBundle(source: BundleSource): Promise<CheckedBundle> {
  const files = atRoot(await filesOf(source))
  const facts = readFacts(files)
  return { facts, zip: await writeZip(files) }
}

async function filesOf(source: BundleSource): Promise<ReadonlyMap<string, Buffer>> {
  if ('files' in source) return new Map(source.files.map(({ path, text }) => [path, Buffer.from(text)]))
  const bytes = 'path' in source ? await readFile(source.path) : Buffer.from(source.zip)
  if (bytes.length === 0) throw badBundle('The zip is empty')
  return readZip(bytes)
}
