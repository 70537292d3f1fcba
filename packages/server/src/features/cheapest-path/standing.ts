import { capitalAgainst, provenTogether } from '../../core/claims.ts'
import { boundConfidence, type Sample } from '../../core/confidence-sequence.ts'
import { exceedsWrongRate, isInDoubt, type Recent, withOutcome } from '../../core/demotion.ts'

/** What speaks for an answer of a smaller model: the rules read the same value; it stands in the document; neither. */
export const supports = ['same', 'found', 'unfound'] as const
export type Support = (typeof supports)[number]

/**
 * The answers to judge together: of the rules; of a smaller model to a field, all of them or those of one support. `asked`: whether a
 * smaller model that was asked gave any valid answer, under the pointer of the whole.
 */
type Kind = 'rules' | 'model' | Support | 'asked'

/** After a wrong answer its kind is not given until so many in a row were right: of every four wrong ones, hardly a row of ten is. */
const doubtChecks = 10

/** The judged answers of one kind to one field. */
export interface KindStanding extends Sample {
  /** The latest outcomes, oldest first: whether the answer was wrong. */
  readonly recent: Recent
  /** How often the counts began, from 1. */
  readonly epoch: number
  /** Whether it is proven that the share of wrong answers is below the accepted one. */
  readonly isProven: boolean
  /** When the counts began; absent in the first epoch. */
  readonly begunAt?: string
  /** When the latest wrong answer was known. Absent in older rows, and without one. */
  readonly wrongAt?: string
  /** The right answers that were given since then. Absent in older rows, and without a wrong one. */
  readonly rightSince?: number
}

/** The standings of a path: by kind and by JSON Pointer of the field. */
export type Standings = Readonly<Partial<Record<Kind, Readonly<Record<string, KindStanding>>>>>

/** What a path guarantees. */
export interface Target {
  /** The accepted share of wrong values of each field. */
  readonly maxWrongRate: number
  /** The fields of the schema: the bounds of all hold together. */
  readonly fields: number
}

/** When answers are judged, and when they were given. */
export interface JudgedAt {
  readonly now?: Date
  /** Absent: now. */
  readonly answeredAt?: Date | null
}

const unjudged: KindStanding = { k: 0, n: 0, recent: [], epoch: 1, isProven: false }

export const standingOf = (standings: Standings, kind: Kind, field: string): KindStanding =>
  standings[kind]?.[field] ?? unjudged

/**
 * Counts a judged answer. A kind that may be given and goes wrong as often as programs that are demoted loses its counts: what came before
 * says nothing about what it does now. Its latest outcomes stay: it is in doubt until some answers are right.
 * A right answer that somebody judged late does not end a doubt that began after it was given. It counts, as a wrong one would, but not for
 * counts that began after it.
 */
function afterJudgement(
  kind: Kind,
  before: KindStanding,
  { isWrong, isAgain = false }: Pick<JudgedAnswer, 'isWrong' | 'isAgain'>,
  { maxWrongRate, now, answeredAt }: Target & JudgedAt,
): KindStanding {
  const isOlderThan = (time: string | undefined) => Boolean(answeredAt && time && answeredAt.toISOString() < time)
  if (!isWrong && isOlderThan(before.begunAt)) return before
  const at = now?.toISOString()
  const doubt = isWrong
    ? { ...(at ? { wrongAt: at } : {}), rightSince: 0 }
    : before.rightSince === undefined || isOlderThan(before.wrongAt)
      ? {}
      : { rightSince: before.rightSince + 1 }
  const recent = withOutcome(before.recent, isWrong)
  if (isTrusted(kind, before) && exceedsWrongRate(recent, maxWrongRate))
    return { ...unjudged, ...doubt, ...(at ? { begunAt: at } : {}), recent, epoch: before.epoch + 1 }
  const n = Math.max(1, before.n + (isAgain ? 0 : 1))
  return { ...before, ...doubt, k: Math.min(n, before.k + (isWrong ? 1 : 0)), n, recent }
}

/** Whether answers of a kind are not given because of a wrong one. */
const isDoubted = ({ recent, rightSince }: KindStanding): boolean =>
  rightSince === undefined ? isInDoubt(recent, doubtChecks) : rightSince < doubtChecks

/** Kinds that can be proven. */
const provable = ['rules', 'model', ...supports] as const

/** The weight of a kind among those of its field. The rules need a proof only where they failed before. */
const weightOf = (kind: Kind, epoch: number): number =>
  kind === 'rules' ? (epoch === 1 ? 0 : 8) : kind === 'model' ? 8 : kind === 'same' ? 2 : 1

/** The share of an epoch in the error: four fifths, and of the rest four fifths again. */
const epochShare = (epoch: number): number => 4 / 5 ** epoch

/**
 * Proves what the judged answers allow. The claims of all kinds and fields are proven together, each epoch with its share of the error, so
 * all hold together with `boundConfidence`.
 */
function withProofs(standings: Standings, { maxWrongRate, fields }: Target): Standings {
  const capitalOf = capitalAgainst(maxWrongRate)
  const claims = provable.flatMap((kind) =>
    Object.entries(standings[kind] ?? {}).map(([field, standing]) => {
      return { kind, field, standing, weight: weightOf(kind, standing.epoch), capital: capitalOf(standing) }
    }),
  )
  const byEpoch = [...Map.groupBy(claims, ({ standing }) => standing.epoch)]
  const tests = byEpoch.map(([epoch, judged]) => {
    const weightOfAll = fields * provable.reduce((sum, kind) => sum + weightOf(kind, epoch), 0)
    const others = weightOfAll - judged.reduce((sum, { weight }) => sum + weight, 0)
    // Nothing speaks for claims without answers, and for those that are in another epoch.
    const all = [...judged, { weight: others, capital: 0 }]
    return [epoch, provenTogether(all, (1 - boundConfidence) * epochShare(epoch))] as const
  })
  const isProvable = new Map(tests)
  const after: Partial<Record<Kind, Record<string, KindStanding>>> = {}
  for (const claim of claims) {
    const { kind, field, standing } = claim
    const isProven = isProvable.get(standing.epoch)?.(claim) === true
    after[kind] ??= {}
    after[kind][field] = isProven === standing.isProven ? standing : { ...standing, isProven }
  }
  return { ...standings, ...after }
}

/**
 * Whether answers may be given unless they are in doubt. The rules' score is calibrated in advance: they answer until judgements speak
 * against it.
 */
const isTrusted = (kind: Kind, { isProven, epoch }: KindStanding): boolean =>
  isProven || (kind === 'rules' && epoch === 1)

/** Whether the rules' answer to a field may be given. */
export function areRulesSure(standings: Standings, field: string): boolean {
  const standing = standingOf(standings, 'rules', field)
  return isTrusted('rules', standing) && !isDoubted(standing)
}

/** Whether an answer of a smaller model with this support may be given: the field is proven, or its answers with this support are. */
export function isModelSure(standings: Standings, field: string, support: Support): boolean {
  const ofSupport = standingOf(standings, support, field)
  return (standingOf(standings, 'model', field).isProven || ofSupport.isProven) && !isDoubted(ofSupport)
}

/** Whether answers of a smaller model to one of these fields may be given: otherwise asking it only serves to learn. */
export const isAnyProven = (standings: Standings, fields: readonly string[]): boolean =>
  fields.some((field) => (['model', ...supports] as const).some((kind) => standingOf(standings, kind, field).isProven))

/** An answer that was compared with the largest model's, or with a person's. */
export interface JudgedAnswer {
  readonly field: string
  /** Null: the rules answered. */
  readonly support: Support | null
  readonly isWrong: boolean
  /** Whether it was counted as right before. */
  readonly isAgain?: boolean | undefined
}

/** An answer of a rung below the largest model, as its execution keeps it. */
export interface LowerAnswer extends Pick<JudgedAnswer, 'field' | 'support'> {
  /** Null: it was given, and nobody judged it. */
  readonly isWrong: boolean | null
}

/**
 * What a person's review says of the answers of lower rungs: it judges those that were given, and overrules the largest model where both were
 * wrong. Where that model disagreed with an answer, the review does not say whether the answer was right: it stays wrong. `answers` are as they
 * are kept after it, so that each counts once, and once more when it is first found wrong.
 */
export const judgedByPerson = (
  answers: readonly LowerAnswer[],
  isWrong: (field: string) => boolean,
): { readonly judged: readonly JudgedAnswer[]; readonly answers: readonly LowerAnswer[] } => ({
  judged: answers.flatMap(({ field, support, isWrong: before }): JudgedAnswer[] => {
    if (before === null) return [{ field, support, isWrong: isWrong(field) }]
    return !before && isWrong(field) ? [{ field, support, isWrong: true, isAgain: true }] : []
  }),
  answers: answers.map((one) => ({ ...one, isWrong: one.isWrong === true || isWrong(one.field) })),
})

/** The standings after some judged answers. */
export function afterJudgements(
  standings: Standings,
  answers: readonly JudgedAnswer[],
  target: Target & JudgedAt,
): Standings {
  const after: Partial<Record<Kind, Record<string, KindStanding>>> = {}
  for (const { field, support, ...judged } of answers)
    for (const kind of support === null ? (['rules'] as const) : (['model', support] as const)) {
      after[kind] ??= { ...standings[kind] }
      after[kind][field] = afterJudgement(kind, after[kind][field] ?? unjudged, judged, target)
    }
  return withProofs({ ...standings, ...after }, target)
}

/** A smaller model that fails more often than it answers is not worth its price. */
const failuresMax = 1 / 2

/** The standings after a smaller model was asked. Failed: it gave no valid answer to any field. */
export function afterAsking(standings: Standings, hasFailed: boolean): Standings {
  const before = standingOf(standings, 'asked', '')
  const counts = { k: before.k + (hasFailed ? 1 : 0), n: before.n + 1 }
  return { ...standings, asked: { '': { ...before, ...counts, recent: withOutcome(before.recent, hasFailed) } } }
}

/**
 * Whether a smaller model is dropped, since it mostly fails of late: only checks ask it. One that fails in at most half of the documents is
 * dropped after a hundred or more on average, see `exceedsWrongRate`; one that always fails after nine.
 */
export const isDropped = (standings: Standings): boolean =>
  exceedsWrongRate(standingOf(standings, 'asked', '').recent, failuresMax)

/** Checks after which the share of runs to check has halved, and the lowest that it falls to. */
const checksToHalve = 100
const leastShare = 1 / 2

/** The share of the next runs whose answers the largest model checks: it falls with the checks so far. */
export const checkShare = (checks: number, share: number): number =>
  share * Math.max(leastShare, checksToHalve / (checksToHalve + checks))
