import type { Finding } from '../extract/assemble.ts'
import type { Cell } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { featureMaker, type RuleAnswer } from './features.ts'
import type { Span } from './read-span.ts'
import { type SpanCandidate, spanFinder } from './spans.ts'

/** The findings of the rules for the single fields of a request. */
export interface RuleFindings {
  readonly found: ReadonlyMap<string, Finding>
  /** Findings that they withdrew. */
  readonly withdrawn: ReadonlyMap<string, Finding>
  /** Words of the items of lists: these are of no single field. */
  readonly ofLists: ReadonlySet<PlacedWord>
}

/** The candidates of one field with their features. */
export interface FieldCandidates {
  readonly field: Field
  readonly candidates: readonly SpanCandidate[]
  readonly rows: readonly Float32Array[]
  readonly rule: RuleAnswer | null
}

/** Kinds of value that the score was trained on; the rules decide fields of other kinds. */
const scoredKinds = new Set(
  'date time money number integer percent id name address text currency email phone iban vat'.split(' '),
)

/** Candidates of one request, shared among its fields; if each gets too few, the rules decide. Of a sheet, whose rows are alike, fewer. */
const candidatesMax = 60_000
const ofSheetMax = 12_000
const ofFieldMax = 4_000
const ofFieldMin = 200

/** The candidates of every single field that the score decides. Leaves to the rules what they found in no place, or by the name of a column. */
export function candidatesOf(
  sheet: Sheet,
  fields: readonly Field[],
  rules: RuleFindings,
  most = candidatesMax,
): FieldCandidates[] {
  const scored = fields.filter(({ plan }) => scoredKinds.has(plan.meaning.kind) && plan.choices.length === 0)
  if (scored.length === 0 || candidatesMax / scored.length < ofFieldMin) return []
  const limit = sheet.pages.some(({ page }) => page.isTabular) ? Math.min(most, ofSheetMax) : most
  const ofField = Math.max(ofFieldMin, Math.min(ofFieldMax, Math.floor(limit / scored.length)))
  const maker = featureMaker(sheet, scored)
  const spansFor = spanFinder(sheet, maker.isLabelled)
  const cells = cellsByWord(sheet)
  return scored.flatMap((field) => {
    const given = rules.found.get(field.pointer)
    const finding = given ?? rules.withdrawn.get(field.pointer)
    const own = finding === undefined ? undefined : spanOfFinding(finding, cells)
    if (given !== undefined && own === undefined) return []
    const free = spansFor(field, ofField).filter(({ words }) => !words.some((word) => rules.ofLists.has(word)))
    const candidates = [...free, ...(own === undefined ? [] : [own])]
    const rule = finding === undefined ? null : ruleAnswerOf(finding, given === undefined)
    return [{ field, candidates, rows: maker.of(field, candidates, rule), rule }]
  })
}

const ruleAnswerOf = (finding: Finding, isWithdrawn: boolean): RuleAnswer => ({
  value: finding.value,
  confidence: finding.evidence.confidence,
  relation: finding.place?.relation ?? null,
  isWithdrawn,
  isConfirmed: finding.isConfirmed === true,
  isNamed: finding.isNamed === true,
})

function cellsByWord(sheet: Sheet): ReadonlyMap<PlacedWord, Cell> {
  const cells = new Map<PlacedWord, Cell>()
  for (const page of sheet.pages)
    for (const line of page.lines) for (const cell of line.cells) for (const word of cell.words) cells.set(word, cell)
  return cells
}

/** A rule's finding as a candidate; undefined if it is on no page or was identified by its column. */
function spanOfFinding(
  { value, evidence, place, isCell }: Finding,
  cells: ReadonlyMap<PlacedWord, Cell>,
): SpanCandidate | undefined {
  const words = place?.words ?? []
  const cell = words[0] && cells.get(words[0])
  if (cell === undefined || isCell === true) return undefined
  const own = new Set(words)
  let start = cell.text.length
  let end = 0
  let at = 0
  for (const word of cell.words) {
    const to = at + word.word.text.length
    if (own.has(word)) {
      start = Math.min(start, at)
      end = to
    }
    at = to + 1
  }
  const lines = new Set(words.map((word) => cells.get(word)?.line)).size
  const derived = evidence.status === 'derived'
  const printed = evidence.quote ?? String(value)
  const span: Span = { printed, words, cell, start, end, cut: 'rules', fit: 1, lines, derived }
  return { value, ...span, span }
}
