import { createHash } from 'node:crypto'
import type { Sql } from '../../adapters/db/db.ts'
import type { Micros } from '../../core/money.ts'
import { type Judge, judgeOfShadow } from './judgement.ts'
import {
  addAgentRun,
  addOutcome,
  addProgramRun,
  countRuns,
  findProgramRun,
  type Judged,
  judgesAnew,
} from './program-runs.ts'
import { mustGo, type ShadowSettings, shareNow } from './shadow.ts'
import { demoteProgram, findProgram, type Program, type Standing } from './store.ts'

/** The effect of a judgement: the program that it demoted, if any. */
export interface SettledJudgement {
  readonly demoted: Program | null
}

/** Share of a program's runs that also update its sums. */
const countingShare = 1 / 64

/** The bookkeeping that a program's run causes: whether to shadow it, and whether to update the sums. */
export interface Drawn {
  readonly isShadowed: boolean
  readonly isCounting: boolean
}

/** Draws for an execution that a program served, with the program's state at that moment. */
export function drawFor(executionId: string, program: Standing, settings: ShadowSettings): Drawn {
  const number = drawn(executionId)
  const isShadowed = number < shareNow(program, settings)
  return { isShadowed, isCounting: isShadowed || number > 1 - countingShare }
}

/**
 * Books an execution that a program served, in the transaction that ends it. `shadowId`: its shadow, which the caller writes in the same
 * transaction.
 */
export async function bookServed(
  tx: Sql,
  run: Parameters<typeof addProgramRun>[1] & Pick<Drawn, 'isCounting'>,
): Promise<void> {
  await addProgramRun(tx, run)
  if (run.isCounting) await countRuns(tx, { workspaceId: run.workspaceId, id: run.programId })
}

/** A pseudo-random number in [0, 1) derived from an execution's id, so that a run that is ended twice draws only once. */
const drawn = (executionId: string): number =>
  createHash('sha256').update(executionId).digest().readUInt32BE(0) / 2 ** 32

/** Books the cost of an agent run that a ready program could have served, or that shadowed one. */
export const bookAgentRun = (tx: Sql, run: { workspaceId: string; programId: string; micros: Micros }): Promise<void> =>
  addAgentRun(tx, { workspaceId: run.workspaceId, id: run.programId, micros: run.micros })

/** The original execution and the program of a shadow, and which judge of the program the shadow's engine is. */
export async function findShadowed(
  sql: Sql,
  of: { workspaceId: string; shadowId: string; engine: string | null },
): Promise<{ readonly executionId: string; readonly programId: string; readonly judge: Judge } | undefined> {
  const run = await findProgramRun(sql, of)
  const program = run && (await findProgram(sql, { workspaceId: of.workspaceId, id: run.programId }))
  if (!run) return undefined
  return {
    executionId: run.executionId,
    programId: run.programId,
    judge: judgeOfShadow(program?.writtenBy ?? null, of.engine),
  }
}

/**
 * Records a judgement of a program's answer, and demotes the program when too many of its latest answers were wrong. An answer counts once,
 * under its most independent judge.
 */
export async function settleJudgement(tx: Sql, of: Judged, settings: ShadowSettings): Promise<SettledJudgement> {
  const program = await addOutcome(tx, of)
  if (program?.status !== 'ready' || !mustGo(program.recent, settings)) return { demoted: null }
  const wrong = program.recent.filter(Boolean).length
  const reason = `${wrong} of its latest ${program.recent.length} checked answers were wrong (most recently in ${of.fields.join(', ')})`
  const went = await demoteProgram(tx, { workspaceId: of.workspaceId, id: program.id, reason, now: of.now })
  return { demoted: went ? program : null }
}

/** The run of an execution that a program served, if a judgement would still count: it has none, or only a less independent one. */
export async function findUnsettled(
  sql: Sql,
  of: { workspaceId: string; executionId: string; judge: Judge },
): Promise<{ readonly programId: string } | undefined> {
  const run = await findProgramRun(sql, of)
  return run && judgesAnew(run, of.judge) ? run : undefined
}
