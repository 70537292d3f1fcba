import type { Sql } from '../../adapters/db/db.ts'
import { fieldHolding, separateFields } from '../../agent/programs/separate-fields.ts'
import { exceedsWrongRate, type Recent } from '../../core/demotion.ts'
import { drawn } from '../../core/drawn.ts'
import type { Micros } from '../../core/money.ts'
import { driftedBy, whoDrifted } from './drift/drift.ts'
import type { Typical } from './drift/typical.ts'
import { findWithheld } from './drift/withheld-answer.ts'
import { strongShareMin } from './gate.ts'
import { isIndependent, type Judge, judgeOfShadow } from './judgement.ts'
import {
  addAgentRun,
  addOutcome,
  addProgramRun,
  type CheckedAnswer,
  countRuns,
  findProgramRun,
  isWrongIn,
  type Judged,
  judgesAnew,
  recentAnswers,
  type ServedRun,
} from './program-runs.ts'
import { type ShadowSettings, shareNow } from './shadow-share.ts'
import { demoteProgram, findProgram, loseFields, type Program, type Standing } from './store.ts'

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
  const isShadowed = number < shareNow(program.runs, settings)
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

/** Books the cost of an agent run that a ready program could have served, or that shadowed one. */
export const bookAgentRun = (tx: Sql, run: { workspaceId: string; programId: string; micros: Micros }): Promise<void> =>
  addAgentRun(tx, { workspaceId: run.workspaceId, id: run.programId, micros: run.micros })

/** A run of a program that an agent's answer is compared with. */
export interface ShadowedRun {
  readonly executionId: string
  readonly programId: string
  readonly isWithheld: boolean
  /** Fields that the program left to an agent. */
  readonly left: readonly string[]
  readonly judge: Judge
  readonly typical: Typical | undefined
  readonly accepted: readonly string[]
}

/** A program as the judge of its withheld answer needs it: the execution's own answer. */
export async function findWithholding(
  sql: Sql,
  of: { workspaceId: string; executionId: string; programId: string; engine: string | null; left: readonly string[] },
): Promise<ShadowedRun | undefined> {
  const program = await findProgram(sql, { workspaceId: of.workspaceId, id: of.programId })
  return (
    program && {
      executionId: of.executionId,
      programId: of.programId,
      isWithheld: true,
      left: of.left,
      judge: judgeOfShadow(makersOf(program), of.engine),
      typical: program.guard?.typical,
      accepted: program.accepted,
    }
  )
}

const makersOf = ({ writtenBy, guard }: Program): readonly (string | null)[] => [writtenBy, ...(guard?.taughtBy ?? [])]

/** The original execution and the program of a shadow, and which judge of the program the shadow's engine is. */
export async function findShadowed(
  sql: Sql,
  of: { workspaceId: string; shadowId: string; engine: string | null },
): Promise<ShadowedRun | undefined> {
  const run = await findProgramRun(sql, of)
  const program = run && (await findProgram(sql, { workspaceId: of.workspaceId, id: run.programId }))
  if (!run) return undefined
  return {
    executionId: run.executionId,
    programId: run.programId,
    isWithheld: run.isWithheld,
    left: run.left,
    judge: program ? judgeOfShadow(makersOf(program), of.engine) : 'same_engine',
    typical: program?.guard?.typical,
    accepted: program?.accepted ?? [],
  }
}

/**
 * Records a judgement of a program's answer. When too many of its latest answers were wrong, the program loses the fields in which they were, or is
 * demoted if that is not enough: then the result is the program as it was. An answer counts once, under its most independent judge.
 */
export async function settleJudgement(tx: Sql, of: Judged, settings: ShadowSettings): Promise<Program | null> {
  const unseen = of.unseen ?? (await unseenIn(tx, of))
  const program = await addOutcome(tx, { ...of, unseen })
  if (program?.status !== 'ready' || !program.recent.includes(true)) return null
  const { workspaceId } = of
  const answers = await recentAnswers(tx, { workspaceId, id: program.id, order: 'judged' })
  const recent = answers.map((one) => isWrongIn(one, program.lost))
  if (!exceedsWrongRate(recent, settings.wrongRateMax)) return null
  // The program answers as before; it stays in doubt, so nobody gets an answer that was not checked.
  if (program.drift && driftedBy(of.judge, whoDrifted(program.drift)) === 'judge') return null
  const losses = lossesOf(program, answers, settings)
  if (losses && (await loseFields(tx, { workspaceId, id: program.id, ...losses }))) return program
  const wrong = recent.filter(Boolean).length
  const reason = `${wrong} of its latest ${recent.length} checked answers were wrong (most recently in ${of.fields.join(', ')})`
  const went = await demoteProgram(tx, { workspaceId, id: program.id, reason, now: of.now })
  return went ? program : null
}

/**
 * The fields in which too many of a program's latest checked answers were wrong, which it must leave to an agent, and these answers without
 * them. Undefined if it is not right often enough in the others: these are too few, or wrong too, or cannot be answered separately.
 */
export function lossesOf(
  { schema, lost: before, guard }: Pick<Program, 'schema' | 'lost' | 'guard'>,
  answers: readonly CheckedAnswer[],
  { wrongRateMax }: ShadowSettings,
): { readonly lost: readonly string[]; readonly recent: Recent } | undefined {
  const separate = separateFields(schema) ?? []
  const isWeak = (field: string): boolean => {
    const answered = answers.filter(({ left }) => !left.includes(field))
    return exceedsWrongRate(
      answered.map(({ fields }) => fields.some((pointer) => fieldHolding([field], pointer) !== undefined)),
      wrongRateMax,
    )
  }
  const weak = separate.filter((field) => !before.includes(field) && isWeak(field))
  const lost = [...before, ...weak]
  const recent = answers.map((one) => isWrongIn(one, lost))
  const given = separate.filter((field) => !lost.includes(field) && !guard?.left?.includes(field))
  const isEnough = given.length >= separate.length * strongShareMin && !exceedsWrongRate(recent, wrongRateMax)
  return weak.length > 0 && isEnough ? { lost, recent } : undefined
}

/** What is new in the document of a withheld answer that somebody found right later. */
async function unseenIn(tx: Sql, { workspaceId, executionId, judge, fields }: Judged): Promise<readonly string[]> {
  if (fields.length > 0 || !isIndependent(judge)) return []
  const run = await findProgramRun(tx, { workspaceId, executionId })
  return run?.isWithheld ? ((await findWithheld(tx, { workspaceId, executionId }))?.unseen ?? []) : []
}

/** The run of an execution that a program served, if a judgement would still count: it has none, or only a less independent one. */
export async function findUnsettled(
  sql: Sql,
  of: { workspaceId: string; executionId: string; judge: Judge },
): Promise<Pick<ServedRun, 'programId' | 'isWithheld' | 'left'> | undefined> {
  const run = await findProgramRun(sql, of)
  return run && judgesAnew(run, of.judge) ? run : undefined
}
