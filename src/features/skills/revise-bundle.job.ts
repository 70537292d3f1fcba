import { readFile } from 'node:fs/promises'
import { parseDocument } from 'yaml'
import type { CheckedBundle, Revision } from './bundle.ts'
import { readFacts, splitFrontMatter } from './read-facts.ts'
import { readZip } from './read-zip.ts'
import { evalsPath, evalsText, schemaText, skillText } from './skill-text.ts'
import { writeZip } from './write-zip.ts'

/** See `reviseBundleJob`. */
export default async function reviseBundle({
  path,
  description,
  prompt,
  schema,
  evals = null,
}: Revision): Promise<CheckedBundle> {
  const files = new Map(await readZip(await readFile(path)))
  if (description !== null || prompt !== null) {
    const { front, body } = splitFrontMatter(files.get('SKILL.md')?.toString('utf8') ?? '')
    const fields = parseDocument(front, { version: '1.2', schema: 'core', customTags: null })
    if (description !== null) fields.set('description', description)
    files.set('SKILL.md', Buffer.from(skillText(fields.toString(), prompt ?? body)))
  }
  if (schema !== null) files.set('schema.json', Buffer.from(schemaText(schema)))
  if (evals !== null) files.set(evalsPath, Buffer.from(evalsText(evals)))
  return { facts: readFacts(files), zip: await writeZip(files) }
}
