import type { Evidence, EvidenceCandidate } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Field, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
import { prove } from '../values/verify.ts'
import { candidatesOf, type FieldCandidates, type RuleFindings } from './candidates.ts'
import { calibratedSource, choiceFeatures, chosen, type Ranked, rank, rivalsOf } from './choice.ts'
import { clamped, rounded, shippedModel, thresholdFor, valueOn } from './model.ts'
import type { Risk } from './risk.ts'
import { keyOf } from './value-features.ts'

/** What the rules found, which the score keeps, replaces or takes back in place. */
export interface RuleAnswers extends RuleFindings {
  readonly sheet: Sheet
  readonly fields: readonly Field[]
  readonly found: Map<string, Finding>
  /** Words of values that are only parts of what a field asks for: such a value is shown, but not given. */
  readonly parts: ReadonlyMap<string, ReadonlySet<PlacedWord>>
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

/**
 * Where unsure values are marked, those are given that keep to the first of these shares of wrong ones. If the rules found the same, the
 * second will do (decision 0023).
 */
const markedRate = 0.1
const agreedRate = 0.15

const shownMax = 3
const shownMin = 0.02

/** A value with the share of the second stage. */
type Chosen = Ranked & { readonly share: number }

/** The candidates of a field, weighed. */
interface Weighed {
  readonly of: FieldCandidates
  readonly first: Chosen
  readonly ranked: readonly Chosen[]
  /** The value of the rules; null: they found none, or withdrew it. */
  readonly ruleKey: string | null
  readonly source: 'text' | 'recognised'
  /** The probability of the likeliest value. */
  readonly confidence: number
  /** The probability that the accepted share of wrong values needs. */
  readonly least: number
  /** The probability from which a value is given. */
  readonly givenFrom: number
}

/** Weighs the candidates of each single field, those of the rules among them. */
function weigh(rules: RuleAnswers, { maxWrongRate, unsure }: Risk): Weighed[] {
  const model = shippedModel()
  const all = candidatesOf(rules.sheet, rules.fields, rules, unsure === 'mark' ? markedMax : undefined)
  const rankings = all.map((one) => rank(one, model))
  const others = rivalsOf(rankings)
  return all.flatMap((of, at): Weighed[] => {
    const ruleKey = of.rule === null || of.rule.isWithdrawn ? null : keyOf(of.rule.value)
    const scored = rankings[at] ?? []
    const ranked = chosen(scored, choiceFeatures(scored, ruleKey, others[at] ?? []), model.choice)
    const [first] = ranked
    if (first === undefined) return []
    const source = calibratedSource(first.candidate)
    const confidence = rounded(clamped(valueOn(model.calibration[source], first.share)))
    const least = thresholdFor(model, source, maxWrongRate).probability
    const markedFrom = thresholdFor(model, source, first.key === ruleKey ? agreedRate : markedRate).probability
    const givenFrom = unsure === 'mark' ? Math.min(least, markedFrom) : least
    return [{ of, first, ranked, ruleKey, source, confidence, least, givenFrom }]
  })
}

/** A value of a field and its probability. */
interface Valued {
  readonly finding: Finding
  readonly share: number
  /** It is the rules', whatever the score prefers. */
  readonly isKept: boolean
}

/**
 * The value of a field: the likeliest, if it is sure enough. Else that of the rules, where the schema has no answer but a value, or where
 * values are marked and a check spoke against it: then it is given for a person to look at. Undefined: none.
 */
function valueFor(one: Weighed, likeliest: Finding | undefined, rules: RuleAnswers, risk: Risk): Valued | undefined {
  const { pointer } = one.of.field
  const given = rules.found.get(pointer)
  const isMarking = risk.unsure === 'mark'
  const isWarned = rules.warned.has(pointer)
  if (likeliest !== undefined && !isPart(one, rules) && !(isMarking && isWarned) && one.confidence >= one.givenFrom)
    return { finding: likeliest, share: one.confidence, isKept: false }
  if (given === undefined || !(rules.needed.has(pointer) || (isMarking && isWarned))) return undefined
  const ofRule = one.ranked.find(({ key }) => key === one.ruleKey)
  const share = isLikeliest(one, given) ? one.confidence : shareOf(ofRule, one.confidence)
  return { finding: given, share: isWarned ? Math.min(given.evidence.confidence, share) : share, isKept: true }
}

/** Whether the rules found the likeliest value too. */
const isLikeliest = ({ first, ruleKey }: Weighed, given: Finding | undefined): given is Finding =>
  first.key === ruleKey && given !== undefined

/** Whether the likeliest value is only a part of what its field asks for. */
function isPart({ of, first, ruleKey }: Weighed, { parts }: RuleAnswers): boolean {
  const words = parts.get(of.field.pointer)
  return words !== undefined && first.key !== ruleKey && first.candidate.words.some((word) => words.has(word))
}

/** The likeliest values of a field that is left empty. */
function likeliestOf(
  { of, ranked, confidence }: Weighed,
  likeliest: Finding | undefined,
  rules: RuleAnswers,
): readonly EvidenceCandidate[] {
  return ranked.slice(0, shownMax).flatMap((each, at): EvidenceCandidate[] => {
    const share = at === 0 ? confidence : shareOf(each, confidence)
    const finding = share < shownMin ? undefined : at === 0 ? likeliest : findingOf(each, of, share, rules)
    return finding === undefined ? [] : [{ ...finding.evidence, value: finding.value, confidence: share }]
  })
}

/**
 * Decides each single field: it gets a value (`valueFor`), or stays empty with its likeliest candidates. Where values are marked, those that
 * are not sure enough have a note; where they are withheld, one that is given all the same has a warning.
 */
export function decide(rules: RuleAnswers, risk: Risk): Decided {
  const { maxWrongRate } = risk
  const isMarking = risk.unsure === 'mark'
  const { found, withdrawn, notes } = rules
  const candidates = new Map<string, readonly EvidenceCandidate[]>()
  const unsure: string[] = []
  const warnings: Warning[] = []
  const all = weigh(rules, risk)
  for (const one of all) {
    const { pointer } = one.of.field
    const given = found.get(pointer)
    const finding = isLikeliest(one, given)
      ? withConfidence(given, one.confidence)
      : findingOf(one.first, one.of, one.confidence, rules)
    const value = valueFor(one, finding, rules, risk)
    if (value) {
      const { share, isKept } = value
      const isUnsure = share < one.least
      const note = `Its probability is ${share}; ${neededFor(maxWrongRate, one.least)}.`
      found.set(pointer, withConfidence(value.finding, share, isUnsure ? note : undefined))
      if (!isKept) notes.delete(pointer)
      if (isUnsure) unsure.push(pointer)
      if (isUnsure && isKept && !isMarking)
        warnings.push({ code: 'value_unsure', path: pointer, message: `${note} ${whyGiven}` })
      continue
    }
    const likeliest = likeliestOf(one, finding, rules)
    found.delete(pointer)
    const [best] = likeliest
    if (best === undefined) continue
    candidates.set(pointer, likeliest)
    if (withdrawn.has(pointer)) continue
    if (isPart(one, rules)) notes.set(pointer, partNote(best))
    else if (!isMarking) notes.set(pointer, unsureNote(best, one.least, maxWrongRate))
    else if (given !== undefined || !notes.has(pointer)) notes.set(pointer, unlikelyNote(best))
  }
  const sources = [...new Set(all.map(({ source }) => source))].toSorted()
  return { candidates, promise: sources.length === 0 ? null : promiseOf(sources, maxWrongRate), unsure, warnings }
}

/** What values of a kind of text need for a rate; 1 where they never reach it. */
const neededFor = (maxWrongRate: number, least: number): string =>
  least < 1
    ? `at most ${percent(maxWrongRate)} wrong values need ${least}`
    : `no probability is high enough for at most ${percent(maxWrongRate)} wrong values`

const unsureNote = ({ value, confidence }: EvidenceCandidate, needed: number, maxWrongRate: number): string =>
  `The likeliest value, ${JSON.stringify(value)}, has a probability of ${confidence}; ${neededFor(maxWrongRate, needed)}.`

const unlikelyNote = ({ value, confidence }: EvidenceCandidate): string =>
  `The likeliest value, ${JSON.stringify(value)}, has a probability of ${confidence}, too low to give it.`

const partNote = ({ value }: EvidenceCandidate): string =>
  `The likeliest value, ${JSON.stringify(value)}, is one of several parts, and no whole is stated.`

/** The probability of a value that is not the likeliest: at most that of the likeliest. */
const shareOf = (ranked: Chosen | undefined, ofFirst: number): number =>
  rounded(Math.min(ranked === undefined ? 0 : valueOn(shippedModel().others, ranked.share), ofFirst, 1 - ofFirst))

const misprintedNote = 'It is given as printed, but its check digits are wrong for an IBAN.'

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
  const isMisprinted = field.plan.meaning.kind === 'iban' && candidate.fit < 1
  const claim = { plan: field.plan, value, words, page, confidence, ...(isMisprinted && { note: misprintedNote }) }
  const evidence: Evidence | null = prove(claim, inputs[page.document] ?? '', sheet.conventions)
  return evidence === null ? undefined : { value, evidence, ...ocrConfidenceOf(words, page) }
}
