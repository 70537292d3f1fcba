import { readFile } from 'node:fs/promises'
import { type BundleSource, badBundle, type CheckedBundle } from './bundle.ts'
import { atRoot, readFacts } from './read-facts.ts'
import { readZip, type Unzipped } from './read-zip.ts'
import { writeZip } from './write-zip.ts'

/** See `checkBundleJob`. */
export default async function checkBundle(source: BundleSource): Promise<CheckedBundle> {
  const { files, executables } = atRoot(await unzipped(source))
  const facts = readFacts(files)
  return { facts, zip: await writeZip(files, executables) }
}

async function unzipped(source: BundleSource): Promise<Unzipped> {
  if ('files' in source)
    return { files: new Map(source.files.map(({ path, text }) => [path, Buffer.from(text)])), executables: new Set() }
  const bytes = 'path' in source ? await readFile(source.path) : Buffer.from(source.zip)
  if (bytes.length === 0) throw badBundle('The zip is empty')
  return readZip(bytes)
}
