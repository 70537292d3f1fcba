import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Job } from '../../adapters/queue/queue.ts'
import { learnJob, type WrittenProgram } from '../../agent/programs/learn.ts'
import { hashOf } from '../../core/json-hash.ts'
import type { Log } from '../../core/log.ts'
import { listQuestions } from '../executions/executions.ts'
import { type DocumentParts, readDocuments } from '../inputs/inputs.ts'
import { loadSkill, readGate } from '../skills/skills.ts'
import { thresholdDefault } from './gate.ts'
import { type KnownAnswer, knownAnswers } from './known-answers.ts'
import { type InputShape, schemaHash, shapeOf, skillsHash } from './program.ts'
import { prove, type ReadCase } from './prove.ts'
import { answersOf } from './recorded-asks.ts'
import type { SourceParts } from './run-source.ts'
import { type Decision, decideProgram, findProgram, findSource, type Program, replaceProgram } from './store.ts'

export interface CompileParts extends DocumentParts, SourceParts {
  readonly log: Log
}

/** The queue's topic of programs to write and prove. */
export const programTopic = 'program'

const learnTerms = { wallMs: 10 * 60_000, memoryMb: 1_024 }
/** Attempts that fail for internal reasons before the program is rejected. */
const retriesMax = 2

/**
 * Writes and proves a program and records the result. The row is the state: a worker that dies leaves it `compiling`, and the next worker
 * of the job starts again; a program that was decided or deleted by then does not change.
 */
export async function compileProgram(parts: CompileParts, job: Job, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = parts
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const program = await findProgram(db, place)
  if (!program || (program.status !== 'compiling' && program.status !== 'candidate')) return
  const decided = await decide(parts, program, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    const mayPass = !(error instanceof Fault) || error.retryable
    if (mayPass && job.retries < retriesMax) throw error
    if (!(error instanceof Fault)) log.error({ program: program.id, error }, 'compiling a program failed unexpectedly')
    const reason = error instanceof Fault ? error.message : 'An internal error occurred; see the server log'
    return rejected(reason)
  })
  const written = await db.transaction(async (tx) => {
    const now = clock.now()
    const done = await decideProgram(tx, place, { ...decided, now })
    const { replaces: replaced } = program.asked
    if (done && replaced !== undefined) await replaceProgram(tx, { ...place, replaced, reason: wentBy(decided), now })
    await job.completeIn(tx)
    return done
  })
  log.info({ program: program.id, status: decided.status, written }, 'a program was accepted or rejected')
}

type Decided = Omit<Decision, 'now'>

/** Why a program that was tested again went. */
const wentBy = ({ status, reason }: Decided): string =>
  status === 'ready'
    ? 'A newer program took its place'
    : `It did not pass its gate again with a new version of the reader: ${reason}`

const rejected = (reason: string, more: Partial<Decided> = {}): Decided => ({
  status: 'rejected',
  source: null,
  sha256: null,
  inputShape: null,
  shapeSha256: null,
  gate: null,
  guard: null,
  ...more,
  reason,
})

async function decide(parts: CompileParts, program: Program, signal: AbortSignal): Promise<Decided> {
  const { workspaceId, asked } = program
  const version = await loadSkill(parts, { workspaceId, id: program.skillId })
  // A program written by an agent must agree with all cases, besides the run that it comes from.
  const withAllCases = program.origin === 'agent'
  const all = await knownAnswers(parts.db, { workspaceId, version, from: asked, withAllCases })
  const ofProgram = all.filter((one) => answersSchema(one, program) && isUnderPrompt(one, program))
  if (ofProgram.length === 0)
    throw new Fault('invalid', 'cannot_compile', 'The skill has no cases with this schema to compile a program from')
  const read = await readCases(parts, { workspaceId, known: ofProgram }, signal)
  const { shape, cases } = mostFrequentShape(read)
  const written = await sourceOf(parts, { program, cases }, signal)
  const questions =
    program.executionId === null ? [] : await listQuestions(parts.db, { workspaceId, id: program.executionId })
  const { report, guard, passed } = await prove(
    { ...parts, ask: answersOf(questions) },
    {
      source: written.source,
      schema: program.schema,
      cases,
      threshold: readGate(version.facts.publishGate)?.agreement ?? thresholdDefault,
      ...(written.fields ? { learned: written.fields } : {}),
    },
    signal,
  )
  const made = {
    source: written.source,
    sha256: sha256Of(written.source),
    inputShape: shape,
    shapeSha256: hashOf(shape),
    gate: report,
    guard,
  }
  const failed = report.checks.find((check) => !check.passed)
  return passed
    ? { ...made, status: 'ready', reason: null }
    : rejected(failed?.message ?? 'The program did not pass its gate', made)
}

export const sha256Of = (source: string): string => createHash('sha256').update(source).digest('hex')

/** A case without a schema uses the skill's. */
const answersSchema = (known: KnownAnswer, { skills, schemaSha256 }: Program): boolean =>
  schemaHash(known.schema ?? skillSchema(skills)) === schemaSha256

/** A case without a prompt applies to any prompt. */
const isUnderPrompt = ({ prompt }: KnownAnswer, { skills, skillsSha256 }: Program): boolean =>
  prompt === '' || skillsHash(skills, prompt) === skillsSha256

/** The default schema: that of the first skill that has one. */
export const skillSchema = (skills: readonly { readonly schema: JsonSchema | null }[]): JsonSchema | null =>
  skills.find(({ schema }) => schema !== null)?.schema ?? null

interface ShapedCase extends ReadCase {
  readonly shape: InputShape
}

async function readCases(
  parts: CompileParts,
  { workspaceId, known }: { workspaceId: string; known: readonly KnownAnswer[] },
  signal: AbortSignal,
): Promise<ShapedCase[]> {
  const cases: ShapedCase[] = []
  for (const { inputs, pageIndices, answer, answeredBy } of known) {
    const { parsedInputs, values } = await readDocuments(parts, { workspaceId, inputs, pageIndices, signal })
    const documents = parsedInputs.map(({ input, document: { packed, mediaType, pageCount } }) => ({
      input,
      packed,
      mediaType,
      pageCount,
    }))
    const shape = shapeOf(
      documents.map(({ input, mediaType }) => ({ name: input, mediaType })),
      values,
    )
    cases.push({ documents, values, answer, ...(answeredBy !== undefined && { answeredBy }), shape })
  }
  return cases
}

/** A program serves one input shape: that of most cases. */
function mostFrequentShape(cases: readonly ShapedCase[]): { shape: InputShape; cases: readonly ShapedCase[] } {
  const groups = [...Map.groupBy(cases, ({ shape }) => hashOf(shape)).values()]
  const most = groups.reduce((best, group) => (group.length > best.length ? group : best))
  return { shape: most[0]?.shape ?? {}, cases: most }
}

async function sourceOf(
  parts: CompileParts,
  { program, cases }: { program: Program; cases: readonly ReadCase[] },
  signal: AbortSignal,
): Promise<{ source: string; fields?: WrittenProgram['fields'] }> {
  if (program.origin === 'agent') {
    const source = await findSource(parts.db, program)
    if (source !== null) return { source }
  }
  if (program.schema === null)
    throw new Fault(
      'invalid',
      'cannot_compile',
      'The skill has no schema; the embedded engine needs one to write a program',
    )
  const examples = cases.map(({ documents, answer }) => ({
    documents: documents.map(({ input, packed }) => ({ input, packed })),
    answer,
  }))
  return parts.processPool.run(learnJob, { schema: program.schema, examples }, { ...learnTerms, signal })
}
