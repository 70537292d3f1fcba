import { explainInstruction } from '@skillrun/reader/fields/instruction.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { type TextFile, descriptionFromInstructions, evalsPath, evalsText, promptFiles } from '../skills/skills.ts'
import { schemaOfAnswers } from './schema-of-answers.ts'

/** Source of a skill: one request of a session, and its answer. */
export interface Asked {
  readonly id: string
  readonly inputs: JsonObject
  readonly config: JsonObject
  readonly response: Json
  /** A chat turn; `spoken`: its only input is the user's text. */
  readonly turn?: 'spoken' | 'with-inputs'
}

/** Instructions that a run of the session got from its own skill. */
export interface Inherited {
  readonly name: string
  readonly instructions: string
  readonly schema: JsonSchema | null
  /** The author declares that they are about extraction only. */
  readonly isAboutExtraction: boolean
}

/** What is known of a session besides its requests. */
export interface Around {
  /** The skills that the last execution had. */
  readonly inherited: readonly Inherited[]
  /** The system messages of its chat, oldest first. */
  readonly standing: readonly string[]
}

/** The skill in a session. */
export interface Distilled {
  /** Its subject: the text from which a name and a description are made. */
  readonly subject: string
  readonly instructions: string
  readonly schema: JsonSchema | null
  /** The session asked for extraction only, and so do the skills of its runs. */
  readonly isAboutExtraction: boolean
  /** Oldest first; the last one proves the skill. */
  readonly cases: readonly Asked[]
}

/** Limits: cases of a bundle, and bytes per case, so that a photograph in a data URL stays outside. */
const casesMax = 20
const caseBytesMax = 64 * 1024

/**
 * The common ground of a session's completed executions and chat turns with the last one: its schema, the system messages of the chat, the
 * prompts of all requests with the same schema (the last first), and their answers. A chat that answers in JSON without a schema gets the
 * schema of its answers. In a chat with system instructions, the user's text is input, not a prompt. `asked` is oldest first and not empty.
 * Undefined when the last request had neither text nor a schema.
 */
export function distil(asked: readonly Asked[], { inherited, standing }: Around): Distilled | undefined {
  const last = asked.at(-1)
  if (!last) return undefined
  const schema = schemaOf(last) ?? inherited.find((skill) => skill.schema !== null)?.schema ?? null
  const alike = asked.filter((one) => JSON.stringify(schemaOf(one)) === JSON.stringify(schemaOf(last)))
  const inJson = schema === null && isJsonTurn(last) ? alike.filter(isJsonTurn) : []
  const same = inJson.length > 0 ? inJson : alike
  const own = inJson.length > 0 ? schemaOfAnswers(inJson.map(({ response }) => response)) : schema
  const systemTexts = distinct(standing.map((text) => text.trim()).filter(Boolean))
  const prompted = same.filter((one) => one.turn !== 'spoken' || systemTexts.length === 0)
  const prompts = distinct(prompted.map(promptOf).filter(Boolean).reverse())
  const [main, ...earlier] = prompts
  const rule = prompted.length < same.length || own !== null ? systemTexts[0] : undefined
  const subject = main ?? rule ?? inherited[0]?.name ?? (own === null ? '' : instructionsOf(own))
  if (subject === '') return undefined
  const sections = [
    ...systemTexts,
    main ?? (own === null ? '' : instructionsOf(own)),
    ...inherited.map(({ name, instructions }) => `## ${name}\n\n${instructions}`),
    ...(earlier.length > 0 ? [`## Asked before in the same session\n\n${earlier.map(item).join('\n')}`] : []),
  ].filter(Boolean)
  const isAboutExtraction =
    inherited.length > 0 &&
    inherited.every((skill) => skill.isAboutExtraction) &&
    [...systemTexts, ...prompts].every((text) => explainInstruction(text, { schema: own, inputs: [] }).accepted)
  return { subject, instructions: sections.join('\n\n'), schema: own, isAboutExtraction, cases: same }
}

const isJsonTurn = ({ turn, response }: Asked): boolean =>
  turn !== undefined && typeof response === 'object' && response !== null

const promptOf = ({ config }: Asked): string => (typeof config['prompt'] === 'string' ? config['prompt'].trim() : '')

const schemaOf = ({ config }: Asked): JsonSchema | null =>
  isJsonObject(config['json_schema']) ? config['json_schema'] : null

/** Each text once, in its first spelling; ignores white space and case. */
function distinct(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, string>()
  for (const text of texts) {
    const key = text.normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase()
    if (!seen.has(key)) seen.set(key, text)
  }
  return [...seen.values()]
}

const item = (text: string): string => `- ${text.replaceAll(/\s*\n\s*/g, ' ')}`

/** The task of a schema alone, in words. */
function instructionsOf(schema: JsonSchema): string {
  const fields = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const title = typeof schema['title'] === 'string' ? schema['title'] : undefined
  const what = fields.length > 0 ? fields.map((field) => `\`${field}\``).join(', ') : 'what schema.json asks for'
  return `Read ${title === undefined ? 'the inputs' : `the inputs for a ${title}`} and give ${what}.`
}

/** The files of a distilled skill. A public one has no cases, because inputs and answers belong to the workspace. */
export function distilledFiles(
  distilled: Distilled,
  called: { name: string; description: string; isPublic: boolean },
): readonly TextFile[] {
  const { instructions, schema, isAboutExtraction } = distilled
  const files = promptFiles({ ...called, prompt: instructions, schema, isAboutExtraction })
  const evals = called.isPublic ? null : evalsOf(distilled.cases)
  return evals === null ? files : [...files, { path: evalsPath, text: evalsText(evals) }]
}

/** Cases in the format of `evals/evals.json`; null if none can be included. */
export function evalsOf(cases: readonly Asked[]): JsonObject | null {
  const portable = portableCases(cases)
  return portable.length === 0 ? null : { evals: portable }
}

const portableCases = (cases: readonly Asked[]): JsonObject[] =>
  cases
    .map(({ id, inputs, response }) => ({ id, inputs, response }))
    .filter((one) => Object.keys(one.inputs).length > 0 && JSON.stringify(one).length <= caseBytesMax)
    .slice(-casesMax)

/** The description of a distilled skill. */
export const describe = ({ subject }: Distilled): string => descriptionFromInstructions(subject)
