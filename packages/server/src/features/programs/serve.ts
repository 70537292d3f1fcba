import { assert } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { ProgramFailed } from '../../adapters/sandbox/sandbox.ts'
import type { DocumentLine } from '../../agent/programs/candidates.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { type Withheld, whyWithheld } from './drift/drift.ts'
import { hashOf, schemaHash, shapeOf, skillsHash } from './program.ts'
import { type ProgramInput, runSource, type SourceParts } from './run-source.ts'
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
export type Served = (Answered & { readonly standing: Standing; readonly withheld: Withheld | undefined }) | Declined

interface Answered {
  readonly answered: true
  readonly program: ReadyProgram
  readonly response: Json
  readonly evidence: EvidenceMap
  readonly console: readonly string[]
  readonly hostCalls: number
  readonly ms: number
  /** Null where the program looked at none. */
  readonly lines: readonly DocumentLine[] | null
}

interface Declined {
  readonly answered: false
  /** Null: no program. */
  readonly program: ReadyProgram | null
  readonly because: string
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
  const served = await answerByContent(parts, { request, program, content }, signal)
  return served.answered
    ? { ...served, standing: ready, withheld: whyWithheld(ready, content.guard?.typical, served) }
    : served
}

/**
 * Answers a request with a program of known content, ready or not, as `serveByProgram` does with the ready one. Throws Faults of the
 * sandbox and the database.
 */
export async function answerByContent(
  parts: SourceParts,
  of: { request: ServeRequest; program: ReadyProgram; content: ReadyContent },
  signal: AbortSignal,
): Promise<Answered | Declined> {
  const { request, program } = of
  const { schema, documents, values } = request
  const { source, guard } = of.content
  try {
    const result = await runSource(parts, { source, documents, values }, signal)
    if (result.declined !== null)
      return declined(
        program,
        `the program declined${result.declined.length > 0 ? ` of ${result.declined.join(', ')}` : ''}`,
      )
    const { evidence, problem, doubt } = await settleAnswer(parts, { known: request, result, schema, guard }, signal)
    if (problem) return declined(program, problem)
    if (doubt) return declined(program, doubt)
    const { value, console, hostCalls, ms, lines } = result
    return { answered: true, program, response: value, evidence, console, hostCalls, ms, lines }
  } catch (error) {
    if (error instanceof ProgramFailed) return declined(program, `the program failed: ${error.message}`)
    // Temporary errors are not the program's fault, nor is a machine without a sandbox.
    if (error instanceof Fault && !error.retryable) return declined(program, error.message)
    throw error
  }
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

async function whyNone(sql: Sql, key: Parameters<typeof listStates>[1], what: string): Promise<string> {
  const states = await listStates(sql, key)
  if (states.length === 0) return `there is no program for ${what}`
  const count = (status: string): number => states.filter((one) => one.status === status).length
  if (count('ready') > 0) return `the program for ${what} was tested on inputs of another shape`
  if (count('compiling') + count('candidate') > 0) return `the program for ${what} is still being compiled`
  return `no program for ${what} is ready: ${count('demoted')} demoted, ${count('rejected')} rejected`
}
