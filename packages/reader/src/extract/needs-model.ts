import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { explainInstruction, type InstructionScope, type Wanted } from '../fields/instruction.ts'
import { namePhrase } from '../layout/text.ts'

const advice = 'Set the key or address of a model provider, for example OPENAI_API_KEY or a local Ollama, to answer it.'

/** The failure of what rules cannot do. */
export const needsModel = (why: string): Fault => new Fault('invalid', 'needs_model', `${why} ${advice}`)

/** A skill as the embedded engine sees it. */
export interface SkillWords {
  readonly name: string
  /** The body of SKILL.md. */
  readonly instructions: string
  /** `metadata` of its front matter. */
  readonly metadata: Readonly<Record<string, Json>>
}

/** Everything that tells an execution what to do. */
export interface Instructions {
  /** By where they stand, for the error: the prompt, the system message of a chat. */
  readonly texts: readonly { readonly where: string; readonly text: string }[]
  readonly skills: readonly SkillWords[]
  readonly schema: JsonSchema | null
  /** Names of the inputs. */
  readonly inputs: readonly string[]
}

/**
 * Refuses, with Fault `needs_model`, instructions that ask for anything but reading: every text has to be accounted for (see
 * `explainInstruction`). A skill counts as accounted for, too, where its author says in the front matter of SKILL.md that it is
 * about extraction alone (`metadata.task: extract`) and there is a schema. Gives what a request without a schema asks for.
 */
export function refuseOtherWork({ texts, skills, schema, inputs }: Instructions): Wanted {
  const scope: InstructionScope = { schema, inputs }
  const wanted: Wanted[] = []
  const check = (where: string, text: string, ofScope: InstructionScope): void => {
    const explained = explainInstruction(text, ofScope)
    if (!explained.accepted)
      throw needsModel(
        `Without a language model this server reads text, tables and the fields of a schema out of inputs, and does nothing else; ${JSON.stringify(explained.because)} in ${where} asks for more.`,
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

/** Whether a skill's author says that its instructions only describe what its schema asks for. */
export const isAboutExtraction = ({ metadata }: Pick<SkillWords, 'metadata'>): boolean => metadata['task'] === 'extract'

/** "- `due_date`: …" says what a field is: it belongs to the schema, which has it as the description of the field. */
const hintLine = /^\s*[-*]\s+(?:`([^`]{1,100})`|\*\*([^*]{1,100})\*\*)\s*(?::|–|—|-)\s*\S.*$/u

/** The instructions of a skill without the heading that repeats its name and without descriptions of fields of the schema. */
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
