import type { Evidence, EvidenceCandidate } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import { type Field, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
import { prove } from '../values/verify.ts'
import { candidatesOf, type FieldCandidates } from './candidates.ts'
import { calibratedSource, confidenceOf, type Ranked, rank, rivalsOf } from './choice.ts'
import { keyOf } from './features.ts'
import { rounded, shippedModel, thresholdFor, valueOn } from './model.ts'

/** The supported maximum shares of wrong values. */
export const wrongRates = { min: 0.005, max: 0.2 } as const

/** The warning that a requested share of wrong values cannot be guaranteed. */
export const noPromise: Warning = {
  code: 'wrong_rate_not_promised',
  path: '',
  message:
    'The answer is not held to max_wrong_rate: the score is calibrated for single fields that the embedded engine reads from pages, not for sheets, lists, electronic invoices and answers of a language model',
}

/** The findings of the rules, which the score keeps, replaces or withdraws in place. */
export interface RuleAnswers {
  readonly sheet: Sheet
  readonly fields: readonly Field[]
  readonly found: Map<string, Finding>
  readonly withdrawn: ReadonlyMap<string, Finding>
  readonly notes: Map<string, string>
  /** Names of the inputs by document index. */
  readonly inputs: readonly string[]
}

/** The decisions of the score. */
export interface Decided {
  /** The likeliest values of fields without a value, by pointer. */
  readonly candidates: ReadonlyMap<string, readonly EvidenceCandidate[]>
  /** The guarantee for the values; null if the score decided none. */
  readonly promise: WrongRatePromise | null
}

/** The guaranteed maximum share of wrong values, and its origin. */
export interface WrongRatePromise {
  readonly maxWrongRate: number
  readonly calibration: string
}

const shownMax = 3
const shownMin = 0.02

/**
 * Decides each single field by the calibrated probability of its candidates, including those of the rules: the likeliest becomes the value
 * if its probability reaches the threshold for `maxWrongRate`; otherwise the field stays empty, with its likeliest candidates.
 */
export function decide(rules: RuleAnswers, maxWrongRate: number): Decided {
  const { sheet, fields, found, withdrawn, notes } = rules
  const shown = new Map<string, readonly EvidenceCandidate[]>()
  const all = candidatesOf(sheet, fields, { found, withdrawn })
  const model = shippedModel()
  const used = new Set<'text' | 'recognised'>()
  const rankings = all.map((one) => rank(one, model))
  const rivals = rivalsOf(rankings)
  for (const [at, one] of all.entries()) {
    const { pointer } = one.field
    const given = found.get(pointer)
    const ruleKey = one.rule === null || one.rule.isWithdrawn ? null : keyOf(one.rule.value)
    const [ranked = [], ofOthers] = [rankings[at], rivals[at]]
    const [first] = ranked
    if (first === undefined || ofOthers === undefined) continue
    const source = calibratedSource(first.candidate)
    used.add(source)
    const confidence = confidenceOf(ranked, ruleKey, { rivals: ofOthers, model })
    const { probability } = thresholdFor(model, source, maxWrongRate)
    const own = first.key === ruleKey && given !== undefined ? withConfidence(given, confidence) : undefined
    const finding = own ?? findingOf(first, one, confidence, rules)
    if (finding !== undefined && confidence >= probability) {
      found.set(pointer, finding)
      notes.delete(pointer)
      continue
    }
    found.delete(pointer)
    const likeliest = ranked.slice(0, shownMax).flatMap((ranked, at): EvidenceCandidate[] => {
      const share = at === 0 ? confidence : rounded(Math.min(valueOn(model.others, ranked.score), 1 - confidence))
      const candidate = share < shownMin ? undefined : at === 0 ? finding : findingOf(ranked, one, share, rules)
      return candidate === undefined ? [] : [{ ...candidate.evidence, value: candidate.value, confidence: share }]
    })
    const [best] = likeliest
    if (best === undefined) continue
    shown.set(pointer, likeliest)
    if (!withdrawn.has(pointer)) notes.set(pointer, unsureNote(best, probability, maxWrongRate))
  }
  return { candidates: shown, promise: used.size === 0 ? null : promiseOf([...used].toSorted(), maxWrongRate) }
}

const unsureNote = ({ value, confidence }: EvidenceCandidate, needed: number, maxWrongRate: number): string =>
  `The likeliest value, ${JSON.stringify(value)}, has a probability of ${confidence}; at most ${percent(maxWrongRate)} of values may be wrong, which needs ${needed}.`

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

function promiseOf(sources: readonly ('text' | 'recognised')[], maxWrongRate: number): WrongRatePromise {
  const found = sources.map((source) => {
    const { answers, wrong, probability } = thresholdFor(shippedModel(), source, maxWrongRate)
    const name = source === 'text' ? 'text' : 'recognised text'
    return answers === 0
      ? `${name}: no probability is high enough, so that no value is given`
      : `${name}: probability of at least ${probability}, with which ${wrong} of ${answers} answers were wrong on sets of documents left out of training`
  })
  return { maxWrongRate, calibration: `${shippedModel().version}, single fields; ${found.join('; ')}` }
}

const withConfidence = (finding: Finding, confidence: number): Finding => ({
  ...finding,
  evidence: { ...finding.evidence, confidence },
})

/** A candidate with its evidence; undefined if its words do not support it. */
function findingOf(
  { candidate }: Ranked,
  { field }: FieldCandidates,
  confidence: number,
  { sheet, inputs, found, withdrawn }: RuleAnswers,
): Finding | undefined {
  if (candidate.cut === 'rules') {
    const finding = found.get(field.pointer) ?? withdrawn.get(field.pointer)
    return finding && withConfidence(finding, confidence)
  }
  const { value, words, cell } = candidate
  const { page } = cell.line
  const claim = { plan: field.plan, value, words, page, confidence }
  const evidence: Evidence | null = prove(claim, inputs[page.document] ?? '', sheet.conventions)
  return evidence === null ? undefined : { value, evidence, ...ocrConfidenceOf(words, page) }
}
