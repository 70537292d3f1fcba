import { createHash } from 'node:crypto'
import type { Sql } from '../../adapters/db/db.ts'
import type { Micros } from '../../core/money.ts'
import { addAgentRun, addOutcome, addProgramRun, countRuns, findProgramRun } from './program-runs.ts'
import { mustGo, type ShadowSettings, shareNow, withOutcome } from './shadow.ts'
import { demoteProgram, type Program, type Standing } from './store.ts'

/** What a settled shadow led to: the program that was demoted by it, if one was. */
export interface SettledShadow {
  readonly demoted: Program | null
}

/** Of the runs of a program, this share adds those before it to its sums. */
const countingShare = 1 / 64

/** What falls to a run that a program served: whether it is to be run as an agent too, and whether it adds up the runs before it. */
export interface Drawn {
  readonly isShadowed: boolean
  readonly isCounting: boolean
}

/** Draws for an execution that a program served. The program stands so at that moment. */
export function drawFor(executionId: string, program: Standing, settings: ShadowSettings): Drawn {
  const number = drawn(executionId)
  const isShadowed = number < shareNow(program, settings)
  return { isShadowed, isCounting: isShadowed || number > 1 - countingShare }
}

/**
 * Books an execution that a program served, in the transaction that ends it. `shadowId`: the execution that is run beside it,
 * which the caller writes in the same transaction.
 */
export async function bookServed(
  tx: Sql,
  run: Parameters<typeof addProgramRun>[1] & Pick<Drawn, 'isCounting'>,
): Promise<void> {
  await addProgramRun(tx, run)
  if (run.isCounting) await countRuns(tx, { workspaceId: run.workspaceId, id: run.programId })
}

/** A number in [0, 1) that belongs to an execution: the same whoever asks, so that a run that is ended twice draws once. */
const drawn = (executionId: string): number =>
  createHash('sha256').update(executionId).digest().readUInt32BE(0) / 2 ** 32

/** Books what an agent run cost where a program stood ready, or looked over its shoulder. */
export const bookAgentRun = (tx: Sql, run: { workspaceId: string; programId: string; micros: Micros }): Promise<void> =>
  addAgentRun(tx, { workspaceId: run.workspaceId, id: run.programId, micros: run.micros })

/** The execution and the program that an execution was run beside. */
export async function findShadowed(
  sql: Sql,
  of: { workspaceId: string; shadowId: string },
): Promise<{ readonly executionId: string; readonly programId: string } | undefined> {
  return findProgramRun(sql, of)
}

/**
 * Settles what is known of an answer that a program gave: in which fields it was wrong, none where it was right. Demotes the
 * program when too many of its latest answers were. Counts once for each execution, whoever tells first.
 */
export async function settleShadow(
  tx: Sql,
  of: { workspaceId: string; executionId: string; fields: readonly string[]; now: Date },
  settings: ShadowSettings,
): Promise<SettledShadow> {
  const next = (recent: readonly boolean[]) => withOutcome(recent, of.fields.length > 0)
  const program = await addOutcome(tx, { ...of, next })
  if (program?.status !== 'ready' || !mustGo(program.recent, settings)) return { demoted: null }
  const wrong = program.recent.filter(Boolean).length
  const reason = `${wrong} of its latest ${program.recent.length} checked answers were wrong (most recently in ${of.fields.join(', ')})`
  const went = await demoteProgram(tx, { workspaceId: of.workspaceId, id: program.id, reason, now: of.now })
  return { demoted: went ? program : null }
}

/** The program's answer to an execution, where nothing is known of it yet: what is told first counts. */
export async function findUnsettled(
  sql: Sql,
  of: { workspaceId: string; executionId: string },
): Promise<{ readonly programId: string } | undefined> {
  const run = await findProgramRun(sql, of)
  return run?.disagreed === null ? run : undefined
}
