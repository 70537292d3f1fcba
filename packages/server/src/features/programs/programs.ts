import type { Clock } from '@skillrun/core/clock.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { comparePairs } from '../../agent/compare-answers.ts'
import type { Micros } from '../../core/money.ts'
import { hasNewCases, type OnCase } from '../evaluations/evaluations.ts'
import { findAsked } from '../executions/executions.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { programTopic, sha256Of } from './compile.ts'
import { findWithheld } from './drift/withheld-answer.ts'
import { type Judge, wrongFields } from './judgement.ts'
import { findUnsettled, settleJudgement } from './judgement-store.ts'
import { schemaHash } from './program.ts'
import type { Judged } from './program-runs.ts'
import type { ShadowSettings } from './shadow-share.ts'
import {
  type CompileFrom,
  findSource,
  insertProgram,
  listPrograms,
  listStates,
  lockReady,
  type Program,
  type ProgramPlace,
} from './store.ts'

export { type CompileParts, compileProgram, programTopic, sha256Of } from './compile.ts'
export { type Drifted, whoseDrift } from './drift/drift.ts'
export { findWithheld, programStep, type WithheldAnswer, withheldAnswer } from './drift/withheld-answer.ts'
export type { Guard } from './guard.ts'
export { type Judge, silentFields, wrongFields } from './judgement.ts'
export {
  bookAgentRun,
  bookServed,
  type Drawn,
  drawFor,
  findShadowed,
  findWithholding,
  type ShadowedRun,
  settleJudgement,
} from './judgement-store.ts'
export { skillsHash } from './program.ts'
export { acceptNew } from './program-runs.ts'
export {
  answerByContent,
  type LeftFields,
  type ReadyProgram,
  type Served,
  type ServeRequest,
  serveByProgram,
  withoutGuesses,
} from './serve.ts'
export { type ShadowSettings, shadowDefaults } from './shadow-share.ts'
export { findContent, type Program } from './store.ts'

/** The stored skill of a program: the first skill of its executions. */
export interface ProgramOwner {
  readonly id: string
  /** The workspace that owns the skill. */
  readonly ownerId: string
  readonly name: string
  readonly skillVersion: string
}

export interface StartParts {
  /** The transaction that writes it. */
  readonly tx: Sql
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
}

interface Start {
  readonly workspaceId: string
  readonly owner: ProgramOwner
  readonly skills: readonly PinnedSkill[]
  /** Of the skills and the prompt, see `skillsHash`. */
  readonly skillsSha256: string
  readonly schema: JsonSchema | null
}

/** Inserts a program to compile from cases, and its job, in one transaction. */
export async function startCompiling(
  parts: StartParts,
  start: Start & { readonly from: CompileFrom },
): Promise<Program> {
  return insertStarted(parts, start, {
    status: 'compiling',
    origin: 'embedded',
    executionId: null,
    writtenBy: 'embedded',
    asked: start.from,
    source: null,
    sha256: null,
    // Compiling calls no model: it only takes a few seconds of this machine.
    compileMicros: 0,
    agentRuns: 0,
    agentMicros: 0,
  })
}

/**
 * Stores the final program of a completed code-agent run as a candidate, with the job of its gate, in the transaction that ends the run:
 * only for runs with a stored skill, and only if no program for these skills and schema is ready or in progress.
 */
export async function keepCandidate(
  parts: StartParts,
  kept: Start & {
    readonly executionId: string
    readonly writtenBy: string
    readonly source: string
    readonly micros: Micros
  },
): Promise<Program | undefined> {
  const key = {
    workspaceId: kept.workspaceId,
    skillsSha256: kept.skillsSha256,
    schemaSha256: schemaHash(kept.schema),
  }
  const states = await listStates(parts.tx, key)
  if (states.some(({ status }) => status === 'ready' || status === 'compiling' || status === 'candidate'))
    return undefined
  return insertStarted(parts, kept, {
    status: 'candidate',
    origin: 'agent',
    executionId: kept.executionId,
    writtenBy: kept.writtenBy,
    asked: { executionIds: [kept.executionId], caseIds: null },
    source: kept.source,
    sha256: sha256Of(kept.source),
    compileMicros: kept.micros,
    agentRuns: 1,
    agentMicros: kept.micros,
  })
}

/** Compiles a program that was demoted, or that has lost fields, again if cases were added since it was made: only they can improve it. */
export async function compileAgain(parts: StartParts, demoted: Program): Promise<Program | undefined> {
  const { workspaceId, skillId, ownerId, skillName: name, skillVersion, skills, skillsSha256, schema } = demoted
  const isTaught = await hasNewCases(parts.tx, { workspaceId, ownerId, name, since: demoted.createdAt })
  if (!isTaught) return undefined
  const owner = { id: skillId, ownerId, name, skillVersion }
  const from = { executionIds: null, caseIds: null }
  return startCompiling(parts, { workspaceId, owner, skills, skillsSha256, schema, from })
}

/** A program is not tested again sooner: while servers of two versions share a database, each finds the programs of the other outdated. */
const testAgainAfterMs = 10 * 60_000

/**
 * Tests a program that was tested with another version of the reader again, as a new one: what was known of the old one says nothing of it. Not while
 * one for the same requests is in progress.
 */
export async function testAgain(parts: StartParts, place: ProgramPlace): Promise<Program | undefined> {
  const old = await lockReady(parts.tx, place)
  if (!old || parts.clock.now().getTime() - old.createdAt.getTime() < testAgainAfterMs) return undefined
  const states = await listStates(parts.tx, old)
  if (states.some(({ status }) => status === 'compiling' || status === 'candidate')) return undefined
  const { workspaceId, skillId, ownerId, skillName: name, skillVersion, skills, skillsSha256, schema } = old
  const owner = { id: skillId, ownerId, name, skillVersion }
  const isWritten = old.origin === 'agent'
  const source = isWritten ? await findSource(parts.tx, place) : null
  return insertStarted(
    parts,
    { workspaceId, owner, skills, skillsSha256, schema },
    {
      ...{ status: isWritten ? 'candidate' : 'compiling', origin: old.origin, executionId: old.executionId },
      ...{ writtenBy: old.writtenBy, asked: { ...old.asked, replaces: old.id } },
      ...{ source, sha256: source === null ? null : sha256Of(source) },
      ...{ compileMicros: 0, agentRuns: old.agentRuns, agentMicros: old.agentMicros },
    },
  )
}

interface JudgeParts extends Omit<StartParts, 'tx'> {
  readonly shadow: ShadowSettings
  readonly processPool: ProcessPool
}

/** See `makeJudging`. */
export type Judging = ReturnType<typeof makeJudging>

/** Judges programs' answers by answers known to be correct: of cases, and of reviewers. */
export const makeJudging = ({ clock, queue, shadow, processPool }: JudgeParts) => ({
  /**
   * The fields that a program answered wrongly, judged by the correct response; undefined: no program answered, a more independent
   * judge did so before, nobody gave or reviewed a response, or the two are too large to compare. Takes up to seconds: call it before
   * the transaction.
   */
  async compare(
    sql: Sql,
    of: { workspaceId: string; executionId: string; response: Json; judge: Judge; signal: AbortSignal },
  ): Promise<readonly string[] | undefined> {
    const { workspaceId, executionId, response, judge, signal } = of
    const program = isId(executionId) ? await findUnsettled(sql, { workspaceId, executionId, judge }) : undefined
    const asked = program && (await findAsked(sql, { workspaceId, id: executionId }))
    if (!asked) return undefined
    // An answer that nobody gave or reviewed is no judge: it is the program's own, or an agent's that has judged already.
    const reviewed = asked.isReviewed ? asked.reviewedResponse : null
    const right = response === null ? reviewed : asked.unmarked(response)
    if (right === null) return undefined
    const given = program.isWithheld
      ? (await findWithheld(sql, { workspaceId, executionId }))?.response
      : asked.response
    if (given === undefined) return undefined
    const [compared] = await comparePairs(processPool, [[right, given]], { tooLarge: 'empty', signal })
    return compared && wrongFields(compared, 'person', program.left)
  },
  /** Counts a judgement, in the transaction that writes its source. */
  settle: (tx: Sql, judged: Judged): Promise<Program | null> => settleJudgement(tx, judged, shadow),
  /** Compiles the latest program of a skill again if it was demoted or has lost fields: each new correct answer is another chance. */
  async compileDemoted(tx: Sql, of: { workspaceId: string; ownerId: string; name: string }): Promise<void> {
    const latest = await listPrograms(tx, { ...of, skillName: of.name, limit: 10 })
    const last = latest.find(({ status }) => status !== 'rejected')
    if (last?.status === 'demoted' || last?.lost.length) await compileAgain({ tx, clock, queue }, last)
  },
})

/**
 * The consequences of an added case: it counts for or against the program whose answer it confirms or corrects; and if the skill's last
 * program was demoted or has lost fields, that is compiled again.
 */
export function makeOnCase(parts: JudgeParts): OnCase {
  const judging = makeJudging(parts)
  return {
    compare: (sql, of) => judging.compare(sql, { ...of, judge: 'case' }),
    async add(tx, { workspaceId, ownerId, name, executionId, wrong, now }) {
      if (executionId !== null && wrong)
        await judging.settle(tx, { workspaceId, executionId, judge: 'case', fields: wrong, now })
      await judging.compileDemoted(tx, { workspaceId, ownerId, name })
    },
  }
}

type Started = Pick<
  Program,
  'status' | 'origin' | 'executionId' | 'writtenBy' | 'asked' | 'compileMicros' | 'agentRuns' | 'agentMicros'
> & {
  readonly source: string | null
  readonly sha256: string | null
}

async function insertStarted({ tx, clock, queue }: StartParts, start: Start, started: Started): Promise<Program> {
  const { workspaceId, owner, skills, skillsSha256, schema } = start
  const now = clock.now()
  const program = await insertProgram(tx, {
    ...started,
    id: newId(now),
    workspaceId,
    skillId: owner.id,
    ownerId: owner.ownerId,
    skillName: owner.name,
    skillVersion: owner.skillVersion,
    skills,
    skillsSha256,
    schema,
    schemaSha256: schemaHash(schema),
    createdAt: now,
  })
  await queue.add(tx, programTopic, { workspaceId, id: program.id }, { group: workspaceId })
  return program
}
