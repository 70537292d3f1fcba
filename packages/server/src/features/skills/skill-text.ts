import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { isScalar, parseDocument, stringify } from 'yaml'
import type { TextFile } from './bundle.ts'

const nameWordsMax = 5
/** Longest name in the open standard. */
export const nameCharactersMax = 64
const descriptionCharactersMax = 300

/** Words that say nothing about the purpose of a skill. */
const fillers = new Set(
  'a an the of and or to from in on for with by is are this that these all any please you your me my i it its as into be should can will'.split(
    ' ',
  ),
)

/** SKILL.md from YAML front matter and instructions. */
const skillText = (front: string, instructions: string): string =>
  `---\n${front.replace(/\n*$/, '\n')}---\n\n${instructions.trim()}\n`

/** SKILL.md with another description, other instructions, or both; null keeps a part byte for byte. It must have front matter. */
export function revisedSkillText(
  text: string,
  { description, prompt }: { description: string | null; prompt: string | null },
): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && /^---[ \t]*\r?$/.test(line))
  const before = lines.slice(1, end).join('\n')
  const described = description === null ? before : withDescription(before, description)
  const front = prompt === null ? described : withoutTask(described)
  if (prompt !== null) return skillText(front, prompt)
  return [lines[0], front.replace(/\n$/, ''), ...lines.slice(end)].join('\n')
}

function withDescription(front: string, description: string): string {
  const fields = parseDocument(front, { version: '1.2', schema: 'core', customTags: null })
  const old = fields.get('description', true)
  // Aliases to an anchor in the old description would dangle.
  if (isScalar(old) && old.anchor !== undefined) return stringify({ ...fields.toJS(), description }, { lineWidth: 0 })
  fields.set('description', description)
  return fields.toString({ lineWidth: 0 })
}

/** The author's declaration that the instructions are about extraction only does not hold for new ones. */
function withoutTask(front: string): string {
  const fields = parseDocument(front, { version: '1.2', schema: 'core', customTags: null })
  if (!fields.hasIn(['metadata', 'task'])) return front
  fields.deleteIn(['metadata', 'task'])
  return fields.toString({ lineWidth: 0 })
}

export const schemaText = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`

export const evalsFolder = 'evals/'
export const evalsPath = `${evalsFolder}evals.json`

export const evalsText = (evals: Json): string => `${JSON.stringify(evals, null, 2)}\n`

/** The files of a skill made of a prompt and an optional schema. */
export function promptFiles(of: {
  name: string
  description: string
  prompt: string
  schema: JsonSchema | null
  /** Declares in the front matter that the instructions are about extraction only. */
  isAboutExtraction?: boolean
}): TextFile[] {
  const metadata = of.isAboutExtraction ? { metadata: { task: 'extract' } } : {}
  const front = stringify({ name: of.name, description: of.description, ...metadata }, { lineWidth: 0 })
  return [
    { path: 'SKILL.md', text: skillText(front, of.prompt) },
    ...(of.schema === null ? [] : [{ path: 'schema.json', text: schemaText(of.schema) }]),
  ]
}

/** A name in the open standard's form from instructions: `extract-invoice-fields`. */
export function nameFromInstructions(instructions: string): string {
  const plain = firstSentence(instructions)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
  const words = (plain.match(/[a-z0-9]+/g) ?? []).filter((word) => !fillers.has(word)).slice(0, nameWordsMax)
  return words.join('-').slice(0, nameCharactersMax).replace(/-$/, '') || 'skill'
}

/** A one-line description from instructions: their first sentence. */
export function descriptionFromInstructions(instructions: string): string {
  const sentence = firstSentence(instructions)
  if (sentence.length <= descriptionCharactersMax) return sentence || 'A skill without a description'
  // Cut between words, or inside a word that is too long between characters.
  return `${sentence.slice(0, descriptionCharactersMax - 1).replace(/\s\S*$|[\uD800-\uDBFF]$/, '')}…`
}

/** The first paragraph in one line, without leading Markdown marks. */
function firstSentence(text: string): string {
  const paragraph = text.trim().split(/\n\s*\n/, 1)[0] ?? ''
  const line = paragraph
    .replaceAll(/^[#>*\-\s]+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
}
