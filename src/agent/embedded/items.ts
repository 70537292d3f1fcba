import type { Finding } from './assemble.ts'
import { settleCodes, settleProducts } from './column-roles.ts'
import type { ListField } from './fields.ts'
import type { Heading } from './headers.ts'
import type { PageLayout } from './layout.ts'
import { carryDays } from './ledger-days.ts'
import { onSide, sideOfTable } from './ledger-sides.ts'
import type { PhraseTarget } from './phrase-book.ts'
import { readCellAs, readChoices } from './readings.ts'
import { type FieldsByTarget, fieldsByTarget } from './request-book.ts'
import { partRowText, type TextRoom, textRoom } from './row-text.ts'
import { type Field, type Sheet, surenessOf, wordConfidence } from './sheet.ts'
import { type Span, wordsWithin } from './spans.ts'
import type { Row, Table } from './tables.ts'
import { squeeze, trimMarks } from './text.ts'
import { readTill } from './till-items.ts'
import { settle, valueFor } from './values.ts'
import { prove } from './verify.ts'

/** Which field a column of a table holds. */
type ColumnMap = ReadonlyMap<number, Field>

const cellTextMax = 600

/** Reads a cell of a table as a value of a field. */
function readCell(
  field: Field,
  span: Span,
  sheet: Sheet,
): { value: Finding['value']; words: Span['words']; fit: number } | null {
  const { plan } = field
  const text = squeeze(trimMarks(span.text))
  if (text === '') return null
  const { kind } = plan.meaning
  if (
    kind === 'text' ||
    kind === 'name' ||
    kind === 'address' ||
    (kind === 'id' && plan.types.every((type) => type === 'string'))
  ) {
    const reading = { start: 0, end: text.length, value: text, printed: text, fit: 0.8 }
    const value = text.length > cellTextMax ? undefined : valueFor(plan, reading)
    return value === undefined
      ? null
      : { value, words: span.words, fit: kind === 'id' ? idFit(text) : /\p{L}{2}/u.test(text) ? 0.8 : 0.3 }
  }
  const readings =
    plan.choices.length > 0 ? readChoices(span.text, plan.choices) : readCellAs(kind, span.text, sheet.conventions)
  for (const found of readings) {
    const reading = settle(plan, found)
    const value = valueFor(plan, reading)
    if (value !== undefined) return { value, words: wordsWithin(span, reading.start, reading.end), fit: reading.fit }
  }
  return null
}

/** Codes are short and hold digits; names of things are words. */
const idFit = (text: string): number => (text.split(' ').length > 2 ? 0.2 : /\d/.test(text) ? 0.85 : 0.4)

/** Part of the filled cells of a column that read as the field asks. */
function columnFit(field: Field, at: number, table: Table, sheet: Sheet): number {
  let filled = 0
  let fit = 0
  for (const row of table.rows.slice(0, 30)) {
    const span = row.cells[at]
    if (span === null || span === undefined) continue
    filled++
    fit += readCell(field, span, sheet)?.fit ?? 0
  }
  if (filled > 0 && field.plan.meaning.kind === 'money' && holdsDays(at, table, sheet)) return 0.1
  return filled === 0 ? 0.3 : fit / filled
}

/** Rows from which on days without a year can be told from amounts. */
const daysMin = 3

/** True when every cell of a column is a day of the documents' period: `01.12` is no amount there. */
function holdsDays(at: number, table: Table, sheet: Sheet): boolean {
  const texts = table.rows.slice(0, 30).flatMap((row) => row.cells[at]?.text ?? [])
  return (
    texts.length >= daysMin &&
    texts.every(
      (text) => /^\d{1,2}[./-]\d{1,2}\.?$/.test(text) && readCellAs('date', text, sheet.conventions).length > 0,
    )
  )
}

/** Below this, label and content of a column together say too little. */
const columnScoreMin = 0.45

/** Headings of the day that a movement counts from, which is rarely the day that is meant by its date. */
const valueDayPattern = /\b(?:value|val|valor|valuta|valeur|wert\p{L}*|rentedatum|effective)\b/iu
const secondDayFactor = 0.9

function mapColumns(
  list: ListField,
  table: Table,
  sheet: Sheet,
  byTarget: FieldsByTarget<Field>,
): { map: ColumnMap; score: number } {
  const pairs: { at: number; field: Field; score: number }[] = []
  for (const [at, column] of table.columns.entries()) {
    for (const { field, weight } of columnClaims(column.heading, byTarget)) {
      const isSecond =
        field.plan.meaning.concept?.id === 'transaction_date' && valueDayPattern.test(column.heading.text)
      const score = weight * (0.35 + 0.65 * columnFit(field, at, table, sheet)) * (isSecond ? secondDayFactor : 1)
      if (score >= columnScoreMin) pairs.push({ at, field, score })
    }
  }
  pairs.sort((a, b) => b.score - a.score || a.at - b.at)
  const map = new Map<number, Field>()
  const taken = new Set<Field>()
  let total = 0
  for (const { at, field, score } of pairs) {
    if (map.has(at) || taken.has(field)) continue
    map.set(at, field)
    taken.add(field)
    total += score
  }
  settleProducts(map, list.columns, table, sheet)
  settleCodes(map, list.columns, table, sheet)
  const spare = spareTextColumn(list, table, sheet, map)
  if (spare !== null) map.set(spare.at, spare.field)
  return { map, score: total / Math.max(1, Math.min(list.columns.length, table.columns.length)) + total * 0.2 }
}

/** The only column of words under an unknown heading holds the descriptions, when nothing else does. */
function spareTextColumn(
  list: ListField,
  table: Table,
  sheet: Sheet,
  map: ColumnMap,
): { at: number; field: Field } | null {
  const field = list.columns.find((column) => column.plan.meaning.concept?.id === 'description')
  if (field === undefined || map.size < 2 || [...map.values()].includes(field)) return null
  const spare = table.columns.flatMap((column, at) => {
    const isKnown = column.heading.targets.some(({ target, weight }) => weight >= 0.85 && isAsked(list, target))
    if (map.has(at) || isKnown) return []
    const texts = table.rows.flatMap((row) => row.cells[at]?.text ?? [])
    const wordy = texts.filter(
      (text) => (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.5 && text.length > 4,
    ).length
    return wordy >= table.rows.length * 0.6 && columnFit(field, at, table, sheet) > 0.5 ? [at] : []
  })
  const [at] = spare
  return spare.length === 1 && at !== undefined ? { at, field } : null
}

const sideTargets = new Set(['c:debit', 'c:credit', 'c:running_balance'])

/** True for what a heading means to the rows of a list: the reference of a movement is no code of an item. */
const isAsked = (list: ListField, target: string): boolean =>
  sideTargets.has(target) ||
  list.columns.some((field) => `c:${field.plan.meaning.concept?.id}` === target || `f:${field.id}` === target)

/** A heading such as `Debit/Credit` is over movements in both directions. */
function bothSides({ targets }: Heading): PhraseTarget[] {
  const weightOf = (target: string): number =>
    Math.max(0, ...targets.filter((entry) => entry.target === target).map((entry) => entry.weight))
  const weight = Math.min(weightOf('c:debit'), weightOf('c:credit'))
  return weight >= 0.6 ? [{ target: 'c:movement', weight }] : []
}

/** The amount of a line and the movement of an account go by the same names. */
function alike(entry: PhraseTarget): PhraseTarget[] {
  if (entry.target === 'c:line_amount') return [entry, { target: 'c:movement', weight: entry.weight }]
  return entry.target === 'c:movement' ? [entry, { target: 'c:line_amount', weight: entry.weight }] : [entry]
}

/** What heads a quantity of goods heads the amount of a movement where there are no goods: `Cantidad`. */
const ofAccount = (entry: PhraseTarget): PhraseTarget[] =>
  entry.target === 'c:quantity' ? [{ target: 'c:movement', weight: entry.weight * 0.9 }] : [entry]

/** All fields of a list that a heading may mean; the content of the column decides among them. */
function columnClaims(heading: Heading, byTarget: FieldsByTarget<Field>): { field: Field; weight: number }[] {
  const best = new Map<Field, number>()
  const isAccount = byTarget.has('c:movement') && !byTarget.has('c:quantity')
  const targets = isAccount ? heading.targets.flatMap(ofAccount) : heading.targets
  for (const { target, weight } of [...targets, ...bothSides(heading)].flatMap(alike)) {
    for (const field of byTarget.get(target) ?? []) best.set(field, Math.max(best.get(field) ?? 0, weight))
  }
  return [...best].map(([field, weight]) => ({ field, weight }))
}

/** The number of fields of any list that some headings may name. */
export function countColumns(headings: readonly Heading[], known: ReadonlySet<string>): number {
  const seen = new Set<string>()
  let count = 0
  for (const heading of headings) {
    const target = heading.targets.find((entry) => known.has(entry.target) && !seen.has(entry.target))
    if (target === undefined) continue
    seen.add(target.target)
    count++
  }
  return count
}

const rooms = new WeakMap<Table, Map<number, TextRoom>>()

/** The room of a column of texts, measured once for each table. */
function roomOf(table: Table, at: number): TextRoom {
  const known = rooms.get(table) ?? new Map<number, TextRoom>()
  rooms.set(table, known)
  const room = known.get(at) ?? textRoom(table, at)
  known.set(at, room)
  return room
}

interface RowContext {
  readonly list: ListField
  readonly sheet: Sheet
  readonly table: Table
  readonly map: ColumnMap
  readonly inputs: readonly string[]
}

/** Reads a piece of text as a field and proves it. */
function readFinding(
  field: Field,
  span: Span,
  { sheet, page, inputs }: { sheet: Sheet; page: PageLayout | undefined; inputs: readonly string[] },
): Finding | null {
  const read = readCell(field, span, sheet)
  if (read === null || page === undefined) return null
  const confidence = (0.55 + 0.4 * read.fit) * (0.6 + 0.4 * wordConfidence(read.words))
  const claim = { plan: field.plan, value: read.value, words: read.words, page, confidence }
  const evidence = prove(claim, inputs[page.document] ?? '', sheet.conventions)
  return evidence === null ? null : { value: read.value, evidence, ...surenessOf(read.words, page) }
}

/** The movement of a row whose table has a column for debits and one for credits. */
function readMovement(row: Row, context: RowContext): readonly [string, Finding] | null {
  const { sheet, list, table, map, inputs } = context
  const field = list.columns.find((column) => column.plan.meaning.concept?.id === 'movement')
  if (field === undefined || [...map.values()].includes(field)) return null
  for (const [at, column] of table.columns.entries()) {
    const span = row.cells[at]
    const side = column.heading.targets.find(
      (entry) => /^c:(?:debit|credit)$/.test(entry.target) && entry.weight >= 0.6,
    )?.target
    if (span === null || span === undefined || side === undefined || map.has(at)) continue
    if (bothSides(column.heading).length > 0) continue
    const finding = readFinding(field, span, { sheet, page: row.lines[0]?.page, inputs })
    if (finding === null || typeof finding.value !== 'number') continue
    const value = side === 'c:debit' ? -Math.abs(finding.value) : Math.abs(finding.value)
    return [field.pointer, { ...finding, value, evidence: { ...finding.evidence, status: 'normalised' } }]
  }
  return null
}

function readRow(row: Row, context: RowContext): Map<string, Finding> {
  const found = new Map<string, Finding>()
  const movement = readMovement(row, context)
  if (movement !== null) found.set(...movement)
  const { sheet, map, inputs } = context
  const side = sideOfTable(context.table, sheet)
  const dayField = context.list.columns.find((column) => column.plan.meaning.concept?.id === 'transaction_date')
  if (row.day !== undefined && dayField !== undefined) {
    const day = readFinding(dayField, row.day, { sheet, page: row.lines[0]?.page, inputs })
    if (day !== null) found.set(dayField.pointer, day)
  }
  for (const [at, field] of map) {
    const span = row.cells[at]
    if (span === null || span === undefined) continue
    const page = row.lines[0]?.page ?? context.table.page
    const isName = field.plan.meaning.concept?.id === 'description'
    const text = isName ? partRowText(row, span, { sheet, room: roomOf(context.table, at) }) : null
    const finding = readFinding(field, text?.name ?? span, { sheet, page, inputs })
    const isSided = side !== null && field.plan.meaning.concept?.id === 'movement'
    if (finding !== null) found.set(field.pointer, isSided ? onSide(finding, side) : finding)
    const codeField = context.list.columns.find((column) => column.plan.meaning.concept?.id === 'item_code')
    if (text?.code == null || codeField === undefined || [...map.values()].includes(codeField)) continue
    const code = readFinding(codeField, text.code, { sheet, page, inputs })
    if (code !== null) found.set(codeField.pointer, code)
  }
  return found
}

/** Items of a receipt without headings, for a list that asks for what was bought. */
function fromTill(list: ListField, sheet: Sheet, inputs: readonly string[]): TillRows {
  const fieldOf = (...ids: string[]): Field | undefined =>
    ids
      .map((id) => list.columns.find((field) => field.plan.meaning.concept?.id === id))
      .find((field) => field !== undefined)
  const fields = {
    description: fieldOf('description'),
    quantity: fieldOf('quantity'),
    unitPrice: fieldOf('unit_price'),
    amount: fieldOf('line_amount', 'movement', 'unit_price'),
  }
  if (fields.description === undefined || fields.amount === undefined) return { rows: [], isProven: false }
  const till = readTill(sheet)
  const rows = till.items.flatMap((item) => {
    const found = new Map<string, Finding>()
    for (const name of ['description', 'quantity', 'unitPrice', 'amount'] as const) {
      const field = fields[name]
      const span = item[name]
      if (field === undefined || span === null || found.has(field.pointer)) continue
      const finding = readFinding(field, span, { sheet, page: item.lines[0]?.page, inputs })
      if (finding !== null) found.set(field.pointer, finding)
    }
    return found.size >= 2 ? [found] : []
  })
  return { rows, isProven: till.isProven && rows.length === till.items.length }
}

interface TillRows {
  readonly rows: Map<string, Finding>[]
  /** True when an amount below the items is their sum. */
  readonly isProven: boolean
}

/** Items of a table held against those of the same lines read as a till's, where an amount of the document is the sum of these. */
function bornOut(items: Map<string, Finding>[], till: TillRows, list: ListField): Map<string, Finding>[] {
  const amount = list.columns.find((column) => column.plan.meaning.concept?.id === 'line_amount')?.pointer
  if (amount === undefined || !till.isProven) return items
  const amountsOf = (rows: readonly Map<string, Finding>[]) => rows.map((row) => row.get(amount)?.value)
  const own = amountsOf(items)
  const others = amountsOf(till.rows)
  // Rows behind those that add up to an amount below are sums and counts, unless they multiply out like goods.
  const isSame = others.length > 0 && others.every((value, at) => value === own[at])
  if (isSame && !items.slice(others.length).some((item) => isTable([item], list)))
    return till.rows.map((row, at) => joinRow(items[at] ?? new Map(), row))
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, value) => total + (typeof value === 'number' ? value : Number.NaN), 0)
  const isKept = Math.abs(sum(own) - sum(others)) < sumTolerance || own.length > others.length || isTable(items, list)
  return isKept ? items : till.rows
}

/** A row whose quantity times its price is its amount was read from the right columns. */
const tableShare = 0.6

/** True when the rows of a table multiply out: then they are no lines of a till. */
function isTable(items: readonly Map<string, Finding>[], list: ListField): boolean {
  const numberIn = (item: Map<string, Finding>, id: string): number => {
    const column = list.columns.find(({ plan }) => plan.meaning.concept?.id === id)
    const value = column === undefined ? undefined : item.get(column.pointer)?.value
    return typeof value === 'number' ? value : Number.NaN
  }
  const right = items.filter((item) => {
    const amount = numberIn(item, 'line_amount')
    return (
      Math.abs(numberIn(item, 'quantity') * numberIn(item, 'unit_price') - amount) < 0.011 + Math.abs(amount) * 1e-4
    )
  })
  return right.length > 0 && right.length >= items.length * tableShare
}

/** A row of a table with what the till's reading adds: fields that it lacks, and texts that go on. */
function joinRow(item: Map<string, Finding>, other: ReadonlyMap<string, Finding>): Map<string, Finding> {
  const row = new Map(item)
  for (const [pointer, finding] of other) {
    const own = item.get(pointer)?.value
    const goesOn = typeof own === 'string' && typeof finding.value === 'string' && finding.value.startsWith(`${own} `)
    if (own === undefined || goesOn) row.set(pointer, finding)
  }
  return row
}

/** Sums that differ by less are equal: half a cent and what adding may lose. */
const sumTolerance = 0.006

const signature = (map: ColumnMap): string =>
  [...map]
    .map(([, field]) => field.id)
    .sort((a, b) => a - b)
    .join()

/** The items of a list: the rows of the table whose headings fit it best, and of its continuations. */
export function itemsOf(list: ListField, sheet: Sheet, inputs: readonly string[]): Map<string, Finding>[] {
  if (list.columns.length === 0) return []
  const byTarget = fieldsByTarget(list.columns)
  const graded = sheet.tables.map((table) => ({ table, ...mapColumns(list, table, sheet, byTarget) }))
  const best = graded.reduce((top, next) => (next.score > (top?.score ?? 0) ? next : top), graded[0])
  const columnsMin = Math.min(2, list.columns.length)
  if (best === undefined || best.map.size < columnsMin) return fromTill(list, sheet, inputs).rows
  const same = signature(best.map)
  const items: Map<string, Finding>[] = []
  for (const { table, map } of graded) {
    if (signature(map) !== same) continue
    for (const row of table.rows) {
      const item = readRow(row, { list, sheet, table, map, inputs })
      if (item.size >= columnsMin || (item.size > 0 && map.size === 1)) items.push(item)
    }
  }
  const columnOf = (id: string): Field | undefined =>
    list.columns.find((column) => column.plan.meaning.concept?.id === id)
  const day = columnOf('transaction_date')
  if (day !== undefined && columnOf('movement') !== undefined) carryDays(items, day.pointer)
  return bornOut(items, fromTill(list, sheet, inputs), list)
}
