import { isJsonObject, type Json, type JsonObject, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceMap } from '../evidence/evidence.ts'
import type { Extraction } from '../extract/extraction.ts'
import { lineText } from '../layout/layout.ts'
import type { Sheet } from '../layout/sheet.ts'
import { squeeze } from '../layout/text.ts'
import { typesOf } from '../schema/schema-shape.ts'
import { boxAround, quoteOf } from '../values/verify.ts'
import { columnsOf, type PlainCell, type PlainRow, type PlainTable, plainTables, titleOver } from './plain-tables.ts'
import { asksForSheet, nameOfSheet } from './sheet-names.ts'

/** How a schema writes a row: as a list of cells, or as an object with one. */
type RowShape = { readonly cells: string | null }

/**
 * A root property that asks for complete tables: `tables` is a list of objects with rows, a list of rows each, or one
 * list of the rows of all tables.
 */
interface TablesPlace {
  readonly name: string
  readonly form: 'objects' | 'grids' | 'rows'
  /** The parts of a table that is an object. */
  readonly parts: readonly string[]
  /** The part with the rows. */
  readonly rows: string
  readonly row: RowShape
}

/** The root property that asks for complete tables; undefined for a schema that names its columns. */
export function tablesPlaceIn(schema: JsonSchema): TablesPlace | undefined {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, list] of Object.entries(properties)) {
    const place = placeIn(name, list)
    if (place) return place
  }
  return undefined
}

function placeIn(name: string, list: Json): TablesPlace | undefined {
  const own = rowShapeOf(list)
  if (own?.cells === null) return { name, form: 'rows', parts: [], rows: '', row: own }
  const item = itemsOf(list)
  if (!item) return undefined
  const row = rowShapeOf(item)
  if (row) return { name, form: 'grids', parts: [], rows: '', row }
  const parts = isJsonObject(item['properties']) ? item['properties'] : {}
  for (const [rows, part] of Object.entries(parts)) {
    const shape = rowShapeOf(part)
    if (shape) return { name, form: 'objects', parts: Object.keys(parts), rows, row: shape }
  }
  return undefined
}

/** The shape of the rows in a list of rows; undefined for another list. */
function rowShapeOf(list: Json): RowShape | undefined {
  const row = itemsOf(list)
  if (!row) return undefined
  if (holdsTexts(row)) return { cells: null }
  const entries = isJsonObject(row['properties']) ? Object.entries(row['properties']) : []
  const [only] = entries
  return entries.length === 1 && only && holdsTexts(only[1]) ? { cells: only[0] } : undefined
}

/** True for a list whose items may be texts. */
function holdsTexts(list: Json): boolean {
  const item = itemsOf(list)
  return item !== undefined && item['properties'] === undefined && typesOf(item).includes('string')
}

/** The item schema of a list; undefined for other types. */
function itemsOf(schema: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(schema ?? null)) return undefined
  const { items = null } = schema as JsonObject
  return isJsonObject(items) ? items : undefined
}

/**
 * Every table of a sheet in the requested shape: `columns` or `headers`, rows with null for an empty cell, `page` from
 * 0, `title` (a lone line above the table), `sheet` (the name of a spreadsheet's sheet), `input`. Where no headings are asked for, they are the first rows. Each text
 * has evidence by pointer.
 */
export function completeTables(
  { pages }: Pick<Sheet, 'pages'>,
  { inputs, place }: { inputs: readonly string[]; place: TablesPlace },
): { tables: readonly Json[]; evidence: EvidenceMap } {
  const evidence: Record<string, Evidence> = {}
  const all = plainTables(pages)
  const writerAt = (table: PlainTable, ...steps: readonly (string | number)[]): Writer => ({
    row: place.row,
    prove: (inner, cell) => {
      const pointer = [place.name, ...steps, ...inner].map(pointerStep).join('')
      evidence[pointer] = evidenceOf(cell, inputs[table.page.document] ?? '')
    },
  })
  if (place.form === 'rows') {
    const rows: Json[] = []
    for (const table of all)
      for (const row of [...table.head, ...table.rows]) rows.push(rowOf(row, writerAt(table, rows.length)))
    return { tables: rows, evidence }
  }
  const tables = all.map((table, index) => {
    const writer = writerAt(table, index)
    if (place.form === 'grids') return gridOf([...table.head, ...table.rows], [], writer)
    const input = inputs[table.page.document] ?? ''
    return Object.fromEntries(place.parts.map((part) => [part, partOf(part, { table, input, writer, all, place })]))
  })
  return { tables, evidence }
}

/** The answer with its tables instead of the values found field by field. */
export function withTables(
  { answer, evidence }: Extraction,
  whole: { tables: readonly Json[]; evidence: EvidenceMap; place: TablesPlace },
): Extraction {
  const pointer = pointerStep(whole.place.name)
  const others = Object.entries(evidence).filter(([at]) => at !== pointer && !at.startsWith(`${pointer}/`))
  return {
    answer: { ...(isJsonObject(answer) ? answer : {}), [whole.place.name]: whole.tables },
    evidence: { ...Object.fromEntries(others), ...whole.evidence },
  }
}

interface Writer {
  readonly row: RowShape
  readonly prove: (steps: readonly (string | number)[], cell: PlainCell) => void
}

function rowOf(row: PlainRow, { row: { cells }, prove }: Writer, steps: readonly (string | number)[] = []): Json {
  const inside = cells === null ? steps : [...steps, cells]
  const texts = row.map((cell, column) => {
    if (cell === null) return null
    prove([...inside, column], cell)
    return cell.text
  })
  return cells === null ? texts : { [cells]: texts }
}

const gridOf = (rows: readonly PlainRow[], steps: readonly (string | number)[], writer: Writer): Json =>
  rows.map((row, at) => rowOf(row, writer, [...steps, at]))

interface OfTable {
  readonly table: PlainTable
  readonly input: string
  readonly writer: Writer
  readonly all: readonly PlainTable[]
  readonly place: TablesPlace
}

const headings = /^(?:columns|headers|headings|header)$/

function partOf(part: string, { table, input, writer, all, place }: OfTable): Json {
  if (part === place.rows) {
    const isHeaded = place.parts.some((name) => headings.test(name))
    return gridOf(isHeaded ? table.rows : [...table.head, ...table.rows], [part], writer)
  }
  if (headings.test(part))
    return columnsOf(table).map((cell, at) => {
      if (cell === null) return ''
      writer.prove([part, at], cell)
      return cell.text
    })
  if (part === 'page') return table.page.page.index
  if (part === 'input') return input
  if (asksForSheet(part)) {
    const name = nameOfSheet(table.page)
    if (!name) return null
    const words = name.words
    writer.prove([part], { text: name.text, words, page: table.page.page.index })
    return name.text
  }
  if (part !== 'title') return null
  const lines = titleOver(table.first, (above) => all.some((other) => other.lines.includes(above)))
  if (lines.length === 0) return null
  const words = lines.flatMap(({ cells }) => cells.flatMap((cell) => cell.words))
  const title = { text: squeeze(lines.map(lineText).join(' ')), words, page: table.page.page.index }
  writer.prove([part], title)
  return title.text
}

/** The texts of a table are verbatim, but their columns are less certain. */
const tableConfidence = 0.9

function evidenceOf({ words, page }: PlainCell, input: string): Evidence {
  const spans = words.flatMap((word) => (word.word.span ? [word.word.span] : []))
  return {
    status: 'verified',
    input,
    page,
    bbox: boxAround(words),
    ...(spans.length > 0 && {
      span: [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))] as const,
    }),
    quote: quoteOf(words),
    confidence: tableConfidence,
  }
}
