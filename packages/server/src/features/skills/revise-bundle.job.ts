import { readFile } from 'node:fs/promises'
import type { CheckedBundle, Revision } from './bundle.ts'
import { readFacts } from './read-facts.ts'
import { readZip } from './read-zip.ts'
import { evalsPath, evalsText, revisedSkillText, schemaText } from './skill-text.ts'
import { writeZip } from './write-zip.ts'

/** See `reviseBundleJob`. */
export default async function reviseBundle({
  path,
  description,
  prompt,
  schema,
  evals = null,
}: Revision): Promise<CheckedBundle> {
  const { files: before, executables } = await readZip(await readFile(path))
  const files = new Map(before)
  if (description !== null || prompt !== null) {
    const text = files.get('SKILL.md')?.toString('utf8') ?? ''
    files.set('SKILL.md', Buffer.from(revisedSkillText(text, { description, prompt })))
  }
  if (schema !== null) files.set('schema.json', Buffer.from(schemaText(schema)))
  if (evals !== null) files.set(evalsPath, Buffer.from(evalsText(evals)))
  return { facts: readFacts(files), zip: await writeZip(files, executables) }
}
