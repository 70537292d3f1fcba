import { isJsonObject, type Json, pointerSteps } from '@skillrun/core/json.ts'
import type { EvidenceStatus } from '../evidence/evidence.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import { namePhrase } from '../layout/text.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { dateOrder } from '../values/dates.ts'
import { readExactValue, type Shown } from '../values/exact-value.ts'
import { shownNumberStyle } from '../values/numbers.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { fits, valueFor } from '../values/values.ts'

/** The maximum depth of nested values. */
const depthMax = 6
/** The maximum number of texts sampled for date and number conventions, and of characters in each. */
const habitTextsMax = 10_000
const habitCharactersMax = 100

/** A value of a JSON input. */
export interface Given {
  readonly input: string
  readonly value: Json
  readonly depth: number
}

/** Every single value of the slots, under its own name and under its path. */
function* namedValues(
  name: string,
  value: Json,
  place: { input: string; depth: number },
): Generator<readonly [string, Given]> {
  if (isJsonObject(value) && place.depth < depthMax) {
    for (const [key, child] of Object.entries(value)) {
      const inside = { ...place, depth: place.depth + 1 }
      yield* namedValues(key, child, inside)
      if (!isJsonObject(child)) yield [`${namePhrase(name)} ${namePhrase(key)}`, { ...inside, value: child }]
    }
    return
  }
  yield [namePhrase(name), { ...place, value }]
}

/** Given values by name. */
export type GivenByName = ReadonlyMap<string, Given | null>

/** The value at the least depth for each name; null when two values at that depth differ, as either may be meant. */
export function collectGiven(values: Readonly<Record<string, Json>>): GivenByName {
  const given = new Map<string, Given>()
  const torn = new Set<string>()
  for (const [input, value] of Object.entries(values)) {
    for (const [name, entry] of namedValues(input, value, { input, depth: 0 })) {
      const known = given.get(name)
      if (known === undefined || entry.depth < known.depth) {
        given.set(name, entry)
        torn.delete(name)
      } else if (entry.depth === known.depth && JSON.stringify(entry.value) !== JSON.stringify(known.value)) {
        torn.add(name)
      }
    }
  }
  return new Map([...given].map(([name, entry]) => [name, torn.has(name) ? null : entry]))
}

/** The date and number conventions that the texts in the values show. */
export function shownByValues(values: Readonly<Record<string, Json>>): Shown {
  const texts = [...textsIn(values, 0)]
  return { dates: dateOrder({ texts, lean: 0 }), numbers: shownNumberStyle(texts) }
}

function* textsIn(values: Json, depth: number): Generator<string> {
  let left = habitTextsMax
  for (const text of allTextsIn(values, depth)) {
    if (left-- <= 0) return
    yield text.slice(0, habitCharactersMax)
  }
}

function* allTextsIn(value: Json, depth: number): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null && depth <= 2 * depthMax)
    for (const child of Object.values(value)) yield* allTextsIn(child, depth + 1)
}

/** Kinds of text that have a normal form. */
const formed = new Set(['date', 'datetime', 'time', 'boolean', 'currency'])

const clockPattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** True for a valid calendar date. */
function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : undefined
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const formOf: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  'date-time': (text) => isDay(text.slice(0, 10)) && /^t/i.test(text.slice(10)) && clockPattern.test(text.slice(11)),
  time: (text) => clockPattern.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
}

/** True when a text already has the form that the schema requires. */
function hasForm(plan: LeafPlan, value: string): boolean {
  const { format } = plan.schema
  return typeof format !== 'string' || !Object.hasOwn(formOf, format) || formOf[format]?.(value) === true
}

/** A value unchanged, where the schema accepts it. */
function asGiven(plan: LeafPlan, value: string | number | boolean): Json | undefined {
  const reading = { start: 0, end: 0, value, printed: String(value), fit: 1 }
  const found = fits(plan, reading) ? valueFor(plan, reading) : undefined
  return typeof found === 'string' && !hasForm(plan, found) ? undefined : found
}

function readGiven(plan: LeafPlan, value: Json, shown: Shown): { value: Json; reading?: ParsedValue } | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const plain = asGiven(plan, value)
  const { format } = plan.schema
  const isDone = plain !== undefined && (typeof format === 'string' || !formed.has(plan.meaning.kind))
  if (isDone || typeof value !== 'string') return plain === undefined ? undefined : { value: plain }
  const reading = readExactValue(plan, value, shown)
  const read = reading === null ? undefined : valueFor(plan, reading)
  if (reading !== null && read !== undefined) return { value: read, reading }
  return plain === undefined ? undefined : { value: plain }
}

/**
 * Values for fields that a plain JSON slot holds under the same name. Text is parsed as the field's type, like a table
 * cell (`EUR 9.00` as a number, `12 March 2026` as a date, `yes` as true). Ambiguous text is left out.
 */
export function givenValues(fields: readonly Field[], values: Readonly<Record<string, Json>>): Map<string, Finding> {
  const given = collectGiven(values)
  return given.size === 0 ? new Map() : findGiven(fields, given, shownByValues(values))
}

/** Looks up a field by its full path, then with its parent, then by its name alone. */
export const givenFor = (given: GivenByName, pointer: string, path: string): Given | null | undefined =>
  [path, path.split(' ').slice(-2).join(' '), lastName(pointer)]
    .map((name) => given.get(name))
    .find((match) => match !== undefined)

/** The fields that have a given value. */
export function findGiven(fields: readonly Field[], given: GivenByName, shown: Shown): Map<string, Finding> {
  const found = new Map<string, Finding>()
  for (const { pointer, plan } of fields) {
    const entry = givenFor(given, pointer, plan.meaning.path)
    const finding = entry ? findingOf(plan, entry, shown) : undefined
    if (finding) found.set(pointer, finding)
  }
  return found
}

/** A given value as the field's type; undefined where it cannot be parsed so. */
export function findingOf(plan: LeafPlan, { input, value }: Given, shown: Shown): Finding | undefined {
  const read = readGiven(plan, value, shown)
  if (read === undefined) return undefined
  const quote = String(value)
  return { value: read.value, evidence: { status: statusOf(read, quote), input, quote, confidence: 1 } }
}

/** A number is verified when its digits are in the text; a date, an enum value or a currency may be in another form. */
function statusOf({ value, reading }: { value: Json; reading?: ParsedValue }, quote: string): EvidenceStatus {
  if (String(value) === quote) return 'verified'
  if (reading === undefined) return 'verified'
  return reading.derived === true || typeof value === 'boolean' ? 'derived' : 'normalised'
}

const lastName = (pointer: string): string => namePhrase(pointerSteps(pointer).at(-1) ?? '')
