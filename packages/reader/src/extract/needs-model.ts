import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { explainInstruction, type InstructionScope, type Wanted } from '../fields/instruction.ts'
import { namePhrase } from '../layout/text.ts'

const advice =
  'Choose a model that leads to a language model; if this server has none, set the key or address of a provider, for example OPENAI_API_KEY or a local Ollama.'

/** The Fault for work that rules cannot do. */
export const needsModel = (why: string): Fault => new Fault('invalid', 'needs_model', `${why} ${advice}`)

/** The parts of a skill that the embedded engine uses. */
export interface SkillWords {
  readonly name: string
  /** The body of SKILL.md. */
  readonly instructions: string
  /** `metadata` of the front matter. */
  readonly metadata: Readonly<Record<string, Json>>
}

/** All instructions of an execution. */
export interface Instructions {
  /** Each text with its origin for error messages: the prompt, the system message of a chat. */
  readonly texts: readonly { readonly where: string; readonly text: string }[]
  readonly skills: readonly SkillWords[]
  readonly schema: JsonSchema | null
  /** Names of the inputs. */
  readonly inputs: readonly string[]
}

/**
 * Throws Fault `needs_model` for instructions that ask for more than reading: `explainInstruction` must account for
 * every text. A skill is also accepted when its front matter declares `metadata.task: extract` and there is a schema.
 * Returns what a request without a schema asks for.
 */
export function refuseOtherWork({ texts, skills, schema, inputs }: Instructions): Wanted {
  const scope: InstructionScope = { schema, inputs }
  const wanted: Wanted[] = []
  const check = (where: string, text: string, ofScope: InstructionScope): void => {
    const explained = explainInstruction(text, ofScope)
    if (!explained.accepted)
      throw needsModel(
        `The embedded engine, which this request leads to, only extracts text, tables and the fields of a schema from inputs; ${JSON.stringify(explained.because)} in ${where} asks for more and needs a language model.`,
      )
    if (text.trim() !== '') wanted.push(explained)
  }
  for (const { where, text } of texts) check(where, text, scope)
  for (const skill of skills)
    if (schema === null || !isAboutExtraction(skill))
      check(`the skill ${JSON.stringify(skill.name)}`, withoutHints(skill, schema), scope)
  return {
    named: [...new Set(wanted.flatMap(({ named }) => named))],
    tablesOnly: wanted.length > 0 && wanted.every(({ tablesOnly }) => tablesOnly),
  }
}

/** True when a skill's author declares that its instructions only describe the schema's fields. */
export const isAboutExtraction = ({ metadata }: Pick<SkillWords, 'metadata'>): boolean => metadata['task'] === 'extract'

/** "- `due_date`: …" describes a field. It belongs in the schema, as the description of that field. */
const hintLine = /^\s*[-*]\s+(?:`([^`]{1,100})`|\*\*([^*]{1,100})\*\*)\s*(?::|–|—|-)\s*\S.*$/u

/** The instructions of a skill without the heading that repeats its name and without descriptions of schema fields. */
function withoutHints({ name, instructions }: SkillWords, schema: JsonSchema | null): string {
  const fields = fieldsOf(schema)
  const isField = (path: string): boolean => fields.has(path.replaceAll('[]', '').split('.').at(-1) ?? '')
  return instructions
    .split('\n')
    .filter((line) => {
      const heading = /^#{1,6}\s+(.*?)\s*#*$/u.exec(line)?.[1]
      if (heading !== undefined) return namePhrase(heading) !== namePhrase(name)
      const hint = hintLine.exec(line)
      return hint === null || !isField(hint[1] ?? hint[2] ?? '')
    })
    .join('\n')
}

function fieldsOf(schema: JsonSchema | null): ReadonlySet<string> {
  const fields = new Set<string>()
  const pending: Json[] = schema === null ? [] : [schema]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) pending.push(...node)
    if (!isJsonObject(node)) continue
    if (isJsonObject(node['properties'])) for (const name of Object.keys(node['properties'])) fields.add(name)
    pending.push(...Object.values(node))
  }
  return fields
}
