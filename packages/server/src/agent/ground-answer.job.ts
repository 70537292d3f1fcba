import { isJsonObject, type Json, type JsonSchema, legible, pointerStep } from '@skillrun/core/json.ts'
import { doubtIncomplete, expectedRows, shortfallsIn, shortfallWarnings } from '@skillrun/reader/checks/missing-rows.ts'
import { boundedEvidence, type Evidence } from '@skillrun/reader/evidence/evidence.ts'
import { withTimes } from '@skillrun/reader/evidence/evidence-times.ts'
import { type Found, findValue, type Source, sourceOf } from '@skillrun/reader/evidence/find-value.ts'
import { groundedAnswer, withoutClaims } from '@skillrun/reader/evidence/grounding.ts'
import type { NamedDocument } from '@skillrun/reader/extract/extraction.ts'
import { layoutDocument } from '@skillrun/reader/layout/layout.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import type { Grounding, GroundRequest } from './ground-answer.ts'

/** Texts that fill a field without a value. */
const placeholder =
  /^(?:n\/?a|none|null|nil|unknown|undefined|string|text|value|tbd|todo|example|placeholder|lorem ipsum.*|john doe|jane doe|x{3,}|[-–—.?_*]+|not (?:found|available|specified|provided|given|stated|applicable|mentioned))\.?$/i
/** A longer text counts as written by the model: its words are looked up, not the text as a quotation. */
const quotedWordsMax = 12
/** The share of significant words of such a text that must appear in the inputs. */
const writtenShareMin = 0.6
const tellingWordLength = 4
/** Quoted passages in such a text: straight, curly, low or angle quotation marks. */
const quotation = /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»/g
/** A shorter passage in quotation marks, without a digit, counts as a name and not as a quotation. */
const quotationWordsMin = 3
const notedQuotationsMax = 3

const unsupportedListedMax = 10

export default function groundAnswer(request: GroundRequest): Grounding {
  const { answer, evidence, unpacked, ...counts } = lookUp(request)
  const layOut = () => unpacked.flatMap(({ document }, index) => layoutDocument(document, index))
  const shortfalls = shortfallsIn(answer, layOut)
  const doubted = doubtIncomplete(evidence, shortfalls)
  const bounded = boundedEvidence(doubted)
  return {
    ...(request.grounded && { answer: groundedAnswer(answer, doubted) }),
    ...bounded,
    ...counts,
    warnings: [...bounded.warnings, ...shortfallWarnings(shortfalls)],
    expected: expectedRows(shortfalls),
  }
}

interface LookedUp extends Omit<Grounding, 'answer' | 'warnings' | 'expected'> {
  readonly answer: Json
  readonly unpacked: readonly NamedDocument[]
}

/** The evidence of every leaf of an answer. */
export function lookUp(request: GroundRequest): LookedUp {
  const { documents, values, schema, grounded = false, made = [] } = request
  const parsed = JSON.parse(request.json) as Json
  const answer = grounded ? withoutClaims(parsed, schema) : parsed
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const source = sourceOf(unpacked)
  const given = scalarsOf(values)
  const evidence: Record<string, Evidence> = {}
  const unsupported: string[] = []
  let valued = 0
  for (const leaf of leavesOf(answer, schema)) {
    const isMade = typeof leaf.value === 'string' && made.includes(leaf.value)
    const found = isMade ? madeEvidence : evidenceOf(leaf, source, given)
    evidence[leaf.pointer] = found
    if (leaf.value === null) continue
    valued += 1
    if (found.status === 'unsupported') unsupported.push(leaf.pointer)
  }
  const timed = legible(withTimes(evidence, unpacked))
  return {
    answer,
    unpacked,
    evidence: timed,
    valued,
    unsupported: unsupported.slice(0, unsupportedListedMax),
    unsupportedCount: unsupported.length,
  }
}

interface Leaf {
  readonly pointer: string
  readonly name: string
  readonly value: string | number | boolean | null
  /** Whether the schema restricts the value to a few choices: then it is a judgement, not a quotation. */
  readonly isChoice: boolean
}

function leavesOf(answer: Json, schema: JsonSchema | null): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (value: Json, at: { pointer: string; name: string; schema: Json }): void => {
    const { pointer, name } = at
    const shape = isJsonObject(at.schema) ? at.schema : {}
    if (Array.isArray(value)) {
      value.forEach((item: Json, index) => {
        visit(item, { pointer: `${pointer}/${index}`, name, schema: shape['items'] ?? null })
      })
    } else if (isJsonObject(value)) {
      const properties = isJsonObject(shape['properties']) ? shape['properties'] : {}
      for (const [key, item] of Object.entries(value))
        visit(item, { pointer: pointer + pointerStep(key), name: key, schema: properties[key] ?? null })
    } else {
      const isChoice = typeof value === 'boolean' || Array.isArray(shape['enum']) || 'const' in shape
      leaves.push({ pointer, name, value: value as Leaf['value'], isChoice })
    }
  }
  visit(answer, { pointer: '', name: '', schema })
  return leaves
}

const madeEvidence: Evidence = { status: 'derived', confidence: 1, note: 'Created by a tool in this run.' }

function evidenceOf(
  { pointer, name, value, isChoice }: Leaf,
  source: Source,
  given: ReadonlyMap<string, string>,
): Evidence {
  if (value === null) return { status: 'unsupported', confidence: 0, note: 'No value was given.' }
  const found = findValue(source, value, name)
  if (found) return foundEvidence(found)
  const slot = given.get(String(value))
  if (slot !== undefined) return { status: 'verified', input: slot, quote: String(value), confidence: 1 }
  if (isChoice) return { status: 'derived', confidence: 0.5, note: 'A judgement of the model, without a quotation.' }
  if (typeof value === 'string' && placeholder.test(value.trim()))
    return { status: 'unsupported', confidence: 0, note: 'This is a placeholder, not a value of the inputs.' }
  const misquoted = typeof value === 'string' ? misquotedIn(value, source, given) : []
  if (misquoted.length > 0) {
    const shown = misquoted.slice(0, notedQuotationsMax).map((one) => JSON.stringify(one))
    return {
      status: 'unsupported',
      confidence: 0,
      note: `It quotes text that is not in the inputs: ${shown.join(', ')}.`,
    }
  }
  if (typeof value === 'string' && isWrittenFrom(value, source, pointer === '' ? 1 : quotedWordsMax))
    return { status: 'derived', confidence: 0.5, note: 'Written by the model from words of the inputs.' }
  return { status: 'unsupported', confidence: 0, note: 'This value does not appear in the inputs.' }
}

/** The evidence of a value at the place where it was found. */
export function foundEvidence({ input, page, box, span, quote, exact, otherSign, wordConfidence }: Found): Evidence {
  return {
    ...(otherSign ? { note: 'The inputs show it with the opposite sign.' } : {}),
    status: otherSign ? 'derived' : exact ? 'verified' : 'normalised',
    input,
    page,
    bbox: box,
    ...(span ? { span } : {}),
    quote,
    confidence: Math.round(wordConfidence * (otherSign ? 0.5 : exact ? 1 : 0.95) * 100) / 100,
  }
}

/** Passages in quotation marks that no input contains. The parts around an ellipsis are looked up separately. */
function misquotedIn(text: string, source: Source, given: ReadonlyMap<string, string>): string[] {
  // Only for a text that quotes something: an answer may have thousands that do not.
  let folded: string[] | undefined
  const isGiven = (piece: string): boolean => {
    folded ??= [...given.keys()].map(source.fold)
    return folded.some((one) => one.includes(piece))
  }
  const stands = (piece: string): boolean => {
    const wanted = source.fold(piece)
    return wanted === '' || findValue(source, piece, '') !== undefined || isGiven(wanted)
  }
  return [...text.matchAll(quotation)]
    .map(
      (match) =>
        match
          .slice(1)
          .find((one) => one !== undefined)
          ?.trim() ?? '',
    )
    .filter((quoted) => /\d/.test(quoted) || quoted.split(/\s+/).length >= quotationWordsMin)
    .filter((quoted) => !quoted.split(/\[?(?:…|\.{3})\]?/).every(stands))
}

/** Whether a text of more than `wordsMax` words consists of words of the inputs: a summary, a description, a full answer. */
function isWrittenFrom(text: string, source: Source, wordsMax: number): boolean {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= wordsMax) return false
  const telling = words.map(source.fold).filter((word) => word.length >= tellingWordLength)
  const known = telling.filter((word) => source.words.has(word))
  return telling.length > 0 && known.length / telling.length >= writtenShareMin
}

/** The scalar values of the JSON slots, with the slot of each. */
function scalarsOf(values: Readonly<Record<string, Json>>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (value: Json, slot: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, slot)
    else if (isJsonObject(value)) for (const item of Object.values(value)) visit(item, slot)
    else if (value !== null && typeof value !== 'boolean' && !found.has(String(value))) found.set(String(value), slot)
  }
  for (const [slot, value] of Object.entries(values)) visit(value, slot)
  return found
}
