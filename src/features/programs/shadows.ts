import { createHash } from 'node:crypto'
import disagreements from '../../agent/programs/disagreements.job.ts'
import type { Json } from '../../kit/json.ts'
import type { Micros } from '../../kit/money.ts'
import type { Sql } from '../../seams/db/db.ts'
import { mustGo, type ShadowSettings, shareNow, withOutcome } from './shadow.ts'
import {
  addAgentRun,
  addOutcome,
  addProgramRun,
  demoteProgram,
  findProgram,
  findProgramRun,
  type Program,
} from './store.ts'

/** What a settled shadow led to: the program that was demoted by it, if one was. */
export interface Settled {
  readonly demoted: Program | null
}

/**
 * Books an execution that a program served, in the transaction that ends it. True: this one is to be run as an agent too,
 * as execution `shadowId`, which the caller writes in the same transaction.
 */
export async function bookServed(
  tx: Sql,
  run: {
    workspaceId: string
    executionId: string
    programId: string
    shadowId: string
    micros: Micros
    ms: number
    now: Date
    mayShadow: boolean
  },
  settings: ShadowSettings,
): Promise<boolean> {
  const program = await findProgram(tx, { workspaceId: run.workspaceId, id: run.programId })
  const isShadowed = run.mayShadow && program !== undefined && drawn(run.executionId) < shareNow(program, settings)
  await addProgramRun(tx, { ...run, shadowId: isShadowed ? run.shadowId : null })
  return isShadowed
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
): Promise<Settled> {
  const next = (recent: readonly boolean[]) => withOutcome(recent, of.fields.length > 0)
  const program = await addOutcome(tx, { ...of, next })
  if (program?.status !== 'ready' || !mustGo(program.recent, settings)) return { demoted: null }
  const wrong = program.recent.filter(Boolean).length
  const reason = `Of its latest ${program.recent.length} answers that were looked at, ${wrong} were disagreed with (last in ${of.fields.join(', ')})`
  const went = await demoteProgram(tx, { workspaceId: of.workspaceId, id: program.id, reason, now: of.now })
  return { demoted: went ? program : null }
}

/** A person said what the right answer of an execution is: as good as a shadow, and surer. Nothing where no program gave it. */
export async function noteKnownAnswer(
  tx: Sql,
  of: { workspaceId: string; executionId: string; given: Json; right: Json; now: Date },
  settings: ShadowSettings,
): Promise<Settled> {
  const run = await findProgramRun(tx, { workspaceId: of.workspaceId, executionId: of.executionId })
  if (!run || run.disagreed !== null) return { demoted: null }
  return settleShadow(tx, { ...of, fields: disagreements({ agent: of.right, program: of.given }) }, settings)
}
