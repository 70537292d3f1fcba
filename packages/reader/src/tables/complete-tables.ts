import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceMap } from '../evidence/evidence.ts'
import type { Extraction } from '../extract/extraction.ts'
import { lineText } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { squeeze } from '../layout/text.ts'
import { boxAround, quoteOf } from '../values/verify.ts'
import { type PlainTable, plainTables, titleOver } from './plain-tables.ts'

/** A root property that asks for complete tables, and which of their parts. */
interface TablesPlace {
  readonly name: string
  readonly parts: readonly string[]
}

/**
 * The root property that asks for complete tables: a list of objects with `columns` (or `headers`), a list, and `rows`,
 * a list of lists. Undefined for a schema that names its columns.
 */
export function tablesPlaceIn(schema: JsonSchema): TablesPlace | undefined {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, list] of Object.entries(properties)) {
    const item = itemsOf(list)
    const parts = item && isJsonObject(item['properties']) ? item['properties'] : {}
    const cells = itemsOf(itemsOf(parts['rows']) ?? null)
    if (cells && itemsOf(parts['columns'] ?? parts['headers'])) return { name, parts: Object.keys(parts) }
  }
  return undefined
}

/** The item schema of a list; undefined for other types. */
function itemsOf(schema: Json | undefined): { readonly [key: string]: Json } | undefined {
  if (!isJsonObject(schema ?? null)) return undefined
  const { items = null } = schema as { readonly [key: string]: Json }
  return isJsonObject(items) ? items : undefined
}

/**
 * Every table of a sheet in the requested shape: `columns` or `headers`, `rows` with null for an empty cell, `page`
 * from 0, `title` (a lone line above the table), `input`. Each text has evidence by pointer.
 */
export function completeTables(
  sheet: Sheet,
  { inputs, place }: { inputs: readonly string[]; place: TablesPlace },
): { tables: readonly Json[]; evidence: EvidenceMap } {
  const evidence: Record<string, Evidence> = {}
  const all = allTables(sheet)
  const tables = all.map((table, index) => {
    const input = inputs[table.page.document] ?? ''
    const prove = (steps: readonly (string | number)[], words: readonly PlacedWord[]) => {
      const pointer = [place.name, index, ...steps].map(pointerStep).join('')
      evidence[pointer] = evidenceOf(words, { input, table })
    }
    return Object.fromEntries(place.parts.map((part) => [part, partOf(part, { table, input, prove, all })]))
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

/** Tables with known headings and tables recognised by layout, in page order. */
function allTables({ tables, pages }: Sheet): readonly PlainTable[] {
  const known = tables.map(
    ({ page, header, lines, columns, rows }): PlainTable => ({
      page,
      first: header.first,
      lines,
      columns: columns.map(({ heading }) => ({ text: squeeze(heading.text), words: heading.words })),
      rows: rows.map(({ cells }) =>
        cells.map((cell) => (cell === null ? null : { text: squeeze(cell.text), words: cell.words })),
      ),
    }),
  )
  const taken = new Set(known.flatMap((table) => table.lines))
  const others = pages.flatMap(plainTables).filter((table) => !table.lines.some((line) => taken.has(line)))
  return [...known, ...others].toSorted(
    (left, right) =>
      left.page.document - right.page.document ||
      left.page.page.index - right.page.page.index ||
      left.first.index - right.first.index,
  )
}

type Prove = (steps: readonly (string | number)[], words: readonly PlacedWord[]) => void

function partOf(
  part: string,
  of: { table: PlainTable; input: string; prove: Prove; all: readonly PlainTable[] },
): Json {
  const { table, prove } = of
  switch (part) {
    case 'columns':
    case 'headers':
      return table.columns.map(({ text, words }, at) => {
        prove([part, at], words)
        return text
      })
    case 'rows':
      return table.rows.map((row, at) =>
        row.map((cell, column) => {
          if (cell === null) return null
          prove([part, at, column], cell.words)
          return cell.text
        }),
      )
    case 'page':
      return table.page.page.index
    case 'input':
      return of.input
    case 'title': {
      const line = titleOver(table.first, (above) => of.all.some((other) => other.lines.includes(above)))
      if (!line) return null
      prove(
        [part],
        line.cells.flatMap((cell) => cell.words),
      )
      return squeeze(lineText(line))
    }
    default:
      return null
  }
}

/** The texts of a table are verbatim, but their columns are less certain. */
const tableConfidence = 0.9

function evidenceOf(words: readonly PlacedWord[], { input, table }: { input: string; table: PlainTable }): Evidence {
  const spans = words.flatMap((word) => (word.word.span ? [word.word.span] : []))
  return {
    status: 'verified',
    input,
    page: table.page.page.index,
    bbox: boxAround(words),
    ...(spans.length > 0 && {
      span: [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))] as const,
    }),
    quote: quoteOf(words),
    confidence: tableConfidence,
  }
}
