import type { Evidence, EvidenceCandidate } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import { type Field, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
import { prove } from '../values/verify.ts'
import { candidatesOf, type FieldCandidates } from './candidates.ts'
import { calibratedSource, confidenceOf, type Ranked, rank, rivalsOf } from './choice.ts'
import { keyOf } from './features.ts'
import { rounded, shippedModel, thresholdFor, valueOn } from './model.ts'

/** The shares of wrong values among those given that a caller may choose from, and the one that holds where none was chosen. */
export const wrongRates = { min: 0.005, max: 0.2, default: 0.02 } as const

/** The warning that a requested share of wrong values cannot be guaranteed. */
export const noPromise: Warning = {
  code: 'wrong_rate_not_promised',
  path: '',
  message:
    'The answer is not held to max_wrong_rate: the score is calibrated for single fields that the embedded engine reads from pages, not for sheets, lists, electronic invoices and answers of a language model',
}

/** The share of wrong values that is accepted, and what becomes of values that are not sure enough for it. */
export interface Risk {
  readonly maxWrongRate: number
  /** `withhold`: they become candidates. `mark`: those that are likely, or found in two ways, are given with a note; the default where no share was asked for. */
  readonly unsure: 'withhold' | 'mark'
}

/** The risk of a request: the share that it names, withholding; null for none; else the default share, marking. */
export function riskOf(maxWrongRate: number | null | undefined): Risk | null {
  if (maxWrongRate === undefined) return { maxWrongRate: wrongRates.default, unsure: 'mark' }
  return maxWrongRate === null ? null : { maxWrongRate, unsure: 'withhold' }
}

/** What the rules found, which the score keeps, replaces or takes back in place. */
export interface RuleAnswers {
  readonly sheet: Sheet
  readonly fields: readonly Field[]
  readonly found: Map<string, Finding>
  readonly withdrawn: ReadonlyMap<string, Finding>
  readonly notes: Map<string, string>
  /** Names of the inputs by document index. */
  readonly inputs: readonly string[]
  /** Fields for which the schema has no answer but a value. */
  readonly needed: ReadonlySet<string>
  /** Pointers of values that a check spoke against. */
  readonly warned: ReadonlySet<string>
}

/** The decisions of the score. */
export interface Decided {
  /** The likeliest values of fields without a value, by pointer. */
  readonly candidates: ReadonlyMap<string, readonly EvidenceCandidate[]>
  /** The guarantee for the values; null if the score decided none. */
  readonly promise: WrongRatePromise | null
  /** Pointers of values that are given although they are not sure enough. */
  readonly unsure: readonly string[]
  readonly warnings: readonly Warning[]
}

/** The guaranteed maximum share of wrong values, and its origin. */
export interface WrongRatePromise {
  readonly maxWrongRate: number
  readonly calibration: string
}

/** Candidates of a request that asked for no share: weighing all of a long document would take longer than reading it. */
const markedMax = 12_000

/** Where unsure values are marked, a value is given from this probability, or a lower one if the rules found it too (decision 0023). */
const givenMin = 0.7
export const agreedMin = 0.35

const shownMax = 3
const shownMin = 0.02

/**
 * Weighs the candidates of each single field, those of the rules among them. Where unsure values are withheld, the likeliest is the value if
 * its probability reaches the threshold for the accepted share of wrong values; else the field stays empty, with its likeliest candidates,
 * or keeps the value of the rules if it cannot be empty. Where they are marked, it is given from a probability of `givenMin`, or of `agreedMin` if the rules found it too.
 */
export function decide(rules: RuleAnswers, risk: Risk): Decided {
  const { maxWrongRate } = risk
  const { sheet, fields, found, withdrawn, notes, needed, warned } = rules
  const shown = new Map<string, readonly EvidenceCandidate[]>()
  const unsure: string[] = []
  const warnings: Warning[] = []
  const all = candidatesOf(sheet, fields, { found, withdrawn }, risk.unsure === 'mark' ? markedMax : undefined)
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
    const isOfRules = first.key === ruleKey && given !== undefined
    const noteOn = (share: number): string =>
      `Its probability is ${share}; at most ${percent(maxWrongRate)} wrong values need ${probability}.`
    const keep = (value: Finding): void => {
      const ofRule = ranked.find(({ key }) => key === ruleKey)
      const scored = isOfRules ? confidence : shareOf(ofRule, confidence)
      const share = warned.has(pointer) ? Math.min(value.evidence.confidence, scored) : scored
      const note = noteOn(share)
      found.set(pointer, withConfidence(value, share, share < probability ? note : undefined))
      if (share >= probability) return
      unsure.push(pointer)
      if (risk.unsure === 'withhold')
        warnings.push({ code: 'value_unsure', path: pointer, message: `${note} ${whyGiven}` })
    }
    const isMarking = risk.unsure === 'mark'
    const finding = isOfRules ? withConfidence(given, confidence) : findingOf(first, one, confidence, rules)
    const least = isMarking ? (isOfRules ? agreedMin : givenMin) : probability
    const isPrinted = isMarking && warned.has(pointer)
    if (finding !== undefined && !isPrinted && confidence >= least) {
      found.set(pointer, confidence < probability ? withConfidence(finding, confidence, noteOn(confidence)) : finding)
      if (confidence < probability) unsure.push(pointer)
      notes.delete(pointer)
      continue
    }
    if (given !== undefined && (needed.has(pointer) || isPrinted)) {
      keep(given)
      continue
    }
    found.delete(pointer)
    const likeliest = ranked.slice(0, shownMax).flatMap((ranked, at): EvidenceCandidate[] => {
      const share = at === 0 ? confidence : shareOf(ranked, confidence)
      const candidate = share < shownMin ? undefined : at === 0 ? finding : findingOf(ranked, one, share, rules)
      return candidate === undefined ? [] : [{ ...candidate.evidence, value: candidate.value, confidence: share }]
    })
    const [best] = likeliest
    if (best === undefined) continue
    shown.set(pointer, likeliest)
    if (withdrawn.has(pointer)) continue
    if (!isMarking) notes.set(pointer, unsureNote(best, probability, maxWrongRate))
    else if (given !== undefined) notes.set(pointer, unlikelyNote(best))
  }
  const promise = used.size === 0 ? null : promiseOf([...used].toSorted(), maxWrongRate)
  return { candidates: shown, promise, unsure, warnings }
}

const unsureNote = ({ value, confidence }: EvidenceCandidate, needed: number, maxWrongRate: number): string =>
  `The likeliest value, ${JSON.stringify(value)}, has a probability of ${confidence}; at most ${percent(maxWrongRate)} of values may be wrong, which needs ${needed}.`

const unlikelyNote = ({ value, confidence }: EvidenceCandidate): string =>
  `The likeliest value, ${JSON.stringify(value)}, has a probability of ${confidence}, too low to give it.`

/** The probability of a value that is not the likeliest. */
const shareOf = (ranked: Ranked | undefined, ofFirst: number): number =>
  rounded(Math.min(ranked === undefined ? 0 : valueOn(shippedModel().others, ranked.score), 1 - ofFirst))

const whyGiven = 'The value is given because the schema requires one and does not allow null.'

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

const withConfidence = (finding: Finding, confidence: number, note?: string): Finding => {
  const { evidence } = finding
  return { ...finding, evidence: { ...evidence, confidence, ...(note && { note: evidence.note ?? note }) } }
}

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
