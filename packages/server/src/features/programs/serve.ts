import { assert } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { readerVersion } from '@skillrun/reader/media/packed-document.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { ProgramFailed } from '../../adapters/sandbox/sandbox.ts'
import type { DocumentLine } from '../../agent/programs/candidates.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'
import { hashOf } from '../../core/json-hash.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { type Withheld, whyWithheld } from './drift/drift.ts'
import type { WithheldAnswer } from './drift/withheld-answer.ts'
import { partOfAnswer } from './fields/part-of-answer.ts'
import { schemaHash, shapeOf, skillsHash } from './program.ts'
import { evidenceWithout } from './prove.ts'
import { type ProgramInput, runSource, type SourceParts, type SourceResult } from './run-source.ts'
import { settleAnswer } from './settle-answer.ts'
import { findContent, findReady, listStates, type ProgramPlace, type ReadyContent, type Standing } from './store.ts'

/** The key that finds a program, and its inputs. */
export interface ServeRequest extends ProgramInput {
  readonly workspaceId: string
  readonly skills: readonly PinnedSkill[]
  readonly prompt: string
  readonly schema: JsonSchema | null
}

/** The ready program for a request. */
export interface ReadyProgram {
  readonly id: string
  readonly sha256: string
}

/** A program's answer; or why the request falls back to an agent, as part of a sentence. */
export type Served =
  | (Answered & { readonly standing: Standing; readonly withheld: Withheld | undefined })
  | (Declined & { readonly standing?: Standing })

interface Answered {
  readonly answered: true
  readonly program: ReadyProgram
  /** The answer, without the fields that are left. */
  readonly response: Json
  readonly evidence: EvidenceMap
  /** Fields that are left to an agent, and why as part of a sentence; null: none. */
  readonly left: LeftFields | null
  /** Fields of the response that are guesses, see `withoutGuesses`. */
  readonly guessed: readonly string[]
  readonly console: readonly string[]
  readonly hostCalls: number
  readonly ms: number
  /** Null where the program looked at none. */
  readonly lines: readonly DocumentLine[] | null
  /** Words of the documents that only its `accepted` has. */
  readonly accepted: readonly string[]
}

/** Fields of a request that a program leaves to an agent. */
export interface LeftFields {
  readonly fields: readonly string[]
  readonly because: string
}

interface Declined {
  readonly answered: false
  /** Null: no program. */
  readonly program: ReadyProgram | null
  readonly because: string
  /** Whether it was tested with another version of the reader, and must be tested again. */
  readonly isOutdated?: boolean
  /** Its answer where the document only has too many new words, to be learned if an agent answers the same. */
  readonly novel?: WithheldAnswer
  readonly accepted?: readonly string[]
}

/**
 * Runs the ready program of a request, if there is one, and checks its answer against the schema and its guard. Errors of the program never
 * throw: the request falls back to an agent. Throws Faults of the sandbox and the database.
 */
export async function serveByProgram(
  parts: SourceParts & { readonly db: Sql },
  request: ServeRequest,
  signal: AbortSignal,
): Promise<Served> {
  const { workspaceId, skills, prompt, schema, documents, values } = request
  if (skills.length === 0) return declined(null, 'programs belong to skills, and the request has none')
  const shape = shapeOf(
    documents.map(({ input, mediaType }) => ({ name: input, mediaType })),
    // A slot of plain text is a document as well.
    Object.fromEntries(Object.entries(values).filter(([slot]) => !documents.some(({ input }) => input === slot))),
  )
  const key = { workspaceId, skillsSha256: skillsHash(skills, prompt), schemaSha256: schemaHash(schema) }
  const ready = await findReady(parts.db, { ...key, shapeSha256: hashOf(shape) })
  const what = prompt.trim() === '' ? 'these skills and this schema' : 'these skills, this schema and this prompt'
  if (!ready) return declined(null, await whyNone(parts.db, key, what))
  const program = { id: ready.id, sha256: ready.sha256 }
  const content = await contentOf(parts.db, { workspaceId, id: ready.id })
  // What is known of it is known of what another reader read.
  if (content.guard?.reader !== readerVersion)
    return { ...declined(program, outdated), isOutdated: true, standing: ready }
  const served = await answerByContent(parts, { request, program, content, ...ready }, signal)
  if (!served.answered) return { ...served, standing: ready }
  const withheld = whyWithheld(ready, content.guard?.typical, served)
  const given = withheld?.unseen.length ? served : withoutGuesses(served, schema)
  return given.answered ? { ...given, standing: ready, withheld } : { ...given, standing: ready }
}

/**
 * An answer without the program's guesses, which nobody gets. Where a document is structured differently its withheld answer keeps them: that they are
 * wrong says that the program does not know this form.
 */
export function withoutGuesses(served: Answered, schema: JsonSchema | null): Answered | Declined {
  const { guessed, left, program } = served
  if (guessed.length === 0) return served
  const unsure = `the reader finds other values likelier than the program's for ${guessed.join(', ')}`
  const because = left === null ? unsure : `${left.because}; ${unsure}`
  const part = partOfAnswer(served.response, schema, [...(left?.fields ?? []), ...guessed])
  if (!part) return declined(program, because)
  const evidence = evidenceWithout(served.evidence, part.left)
  return { ...served, response: part.value, evidence, left: { fields: part.left, because }, guessed: [] }
}

/**
 * Answers a request with a program of known content, ready or not, as `serveByProgram` does with the ready one. Throws Faults of the
 * sandbox and the database.
 */
export async function answerByContent(
  parts: SourceParts,
  of: { request: ServeRequest; program: ReadyProgram; content: ReadyContent } & Partial<
    Pick<Standing, 'lost' | 'accepted'>
  >,
  signal: AbortSignal,
): Promise<Answered | Declined> {
  const { request, program, lost = [], accepted = [] } = of
  const { schema, documents, values } = request
  const { source, guard } = of.content
  try {
    const result = await runSource(parts, { source, documents, values }, signal)
    const left = reasonsToLeave(result.declined ?? [], { weak: guard?.left ?? [], lost })
    const because = left.map((one) => one.because).join('; ')
    const named = left.flatMap(({ fields }) => fields)
    const part = partOfAnswer(result.value, schema, named)
    if (!part) return declined(program, because)
    const given = { ...result, value: part.value }
    const settling = { known: request, result: given, schema: part.schema, guard, accepted, left: part.left }
    const { evidence, problem, words, doubt } = await settleAnswer(parts, settling, signal)
    if (problem) return declined(program, problem)
    const { console, hostCalls, ms, lines } = result
    const met = accepted.filter((word) => words?.has(word))
    const ran = { answered: true, program, console, hostCalls, ms, lines, accepted: met } as const
    if (!doubt)
      return {
        ...{ ...ran, response: part.value, evidence },
        left: part.left.length === 0 ? null : { fields: part.left, because },
        guessed: guessesIn(result, part.left),
      }
    const rest = doubt.fields && partOfAnswer(result.value, schema, [...named, ...doubt.fields])
    if (!rest) {
      const { because, newWords: unseen = [] } = doubt
      const novel = { response: part.value, evidence, ms, left: part.left, unseen }
      return { ...declined(program, because), accepted: met, ...(unseen.length > 0 && { novel }) }
    }
    const why = [because, doubt.because].filter((one) => one !== '').join('; ')
    return {
      ...{ ...ran, response: rest.value, evidence: evidenceWithout(evidence, rest.left) },
      left: { fields: rest.left, because: why },
      guessed: guessesIn(result, rest.left),
    }
  } catch (error) {
    if (error instanceof ProgramFailed) return declined(program, `the program failed: ${error.message}`)
    // Temporary errors are not the program's fault, nor is a machine without a sandbox.
    if (error instanceof Fault && !error.retryable) return declined(program, error.message)
    throw error
  }
}

const guessesIn = ({ guessed }: SourceResult, left: readonly string[]): readonly string[] =>
  guessed.filter((field) => fieldHolding(left, field) === undefined)

/** The fields that a program leaves to an agent before its answer is checked, by reason. */
function reasonsToLeave(
  declinedFields: readonly string[],
  { weak, lost }: { readonly weak: readonly string[]; readonly lost: readonly string[] },
): readonly LeftFields[] {
  const unsure = declinedFields.filter((field) => field !== '' && !weak.includes(field) && !lost.includes(field))
  return [
    ...(declinedFields.includes('') ? [{ fields: [''], because: 'the program declined' }] : []),
    ...(unsure.length > 0 ? [{ fields: unsure, because: `the program declined ${unsure.join(', ')}` }] : []),
    ...(weak.length > 0
      ? [{ fields: weak, because: `the program was not right often enough in ${weak.join(', ')}` }]
      : []),
    ...(lost.length > 0
      ? [{ fields: lost, because: `its latest checked answers were wrong in ${lost.join(', ')}` }]
      : []),
  ]
}

/** Content of recently used programs, the last one newest. */
const contents = new Map<string, ReadyContent>()
const contentsMax = 50

async function contentOf(sql: Sql, place: ProgramPlace): Promise<ReadyContent> {
  const key = `${place.workspaceId} ${place.id}`
  const content = contents.get(key) ?? (await findContent(sql, place))
  assert(content !== undefined, 'a ready program has a source')
  contents.delete(key)
  if (contents.size >= contentsMax) contents.delete(contents.keys().next().value ?? '')
  contents.set(key, content)
  return content
}

const declined = (program: ReadyProgram | null, because: string): Declined => ({ answered: false, program, because })

const outdated = 'the program was tested with another version of the reader, and is tested again'

async function whyNone(sql: Sql, key: Parameters<typeof listStates>[1], what: string): Promise<string> {
  const states = await listStates(sql, key)
  if (states.length === 0) return `there is no program for ${what}`
  const count = (status: string): number => states.filter((one) => one.status === status).length
  if (count('ready') > 0) return `the program for ${what} was tested on inputs of another shape`
  if (count('compiling') + count('candidate') > 0) return `the program for ${what} is still being compiled`
  return `no program for ${what} is ready: ${count('demoted')} demoted, ${count('rejected')} rejected`
}
