import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { type DeclaredText, declaredByName } from '../../src/media/declared-text.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { madeExcel } from '../../src/media/testing/made-office.ts'
import { type HtmlElement, type HtmlNode, isElement, parseHtml } from '../../src/media/text/html-tree.ts'
import { isSame, measuringSets, type PrintedPage, printedPages, schemaOf } from '../printed/pages.ts'
import type { LabelledDocument } from '../score/labelled.ts'
import { printedSetOf } from '../score/printed.ts'
import { shareOf } from '../score/questions.ts'

/** A file with rows and columns that has what a printed page has, and the same questions and answers. */
export interface MadeSheet {
  readonly page: PrintedPage
  readonly id: string
  readonly form: SheetForm
  readonly fileName: string
  readonly bytes: Buffer
  readonly schema: JsonObject
  readonly truth: JsonObject
}

/**
 * What of a page is in the file: all of it; its tables with lists and the two lines above each; the headings and rows of its lists alone;
 * the same under other names.
 */
export const sheetForms = ['whole', 'tables', 'plain', 'named'] as const
export type SheetForm = (typeof sheetForms)[number]

type Row = readonly string[]

/** Lines of text, or a table, with rows of cells. */
interface Block {
  readonly isTable: boolean
  readonly rows: readonly Row[]
}

const blockTags = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul body tr td th thead tbody tfoot'.split(
    ' ',
  ),
)
/** A page with fewer lines of several cells is no sheet. */
const pairsShare = 0.4
/** Texts up to this length may be labels. */
const labelMax = 40

const isBlock = (node: HtmlNode): node is HtmlElement => isElement(node) && blockTags.has(node.tag)
const hasBlocks = (node: HtmlNode): boolean =>
  isElement(node) && node.children.some((one) => isBlock(one) || hasBlocks(one))
const inline = (node: HtmlNode): string =>
  !isElement(node) ? node.text : node.tag === 'br' ? ' ' : node.children.map(inline).join(isBlock(node) ? ' ' : '')
const textOf = (...nodes: readonly HtmlNode[]): string => nodes.map(inline).join('').replace(/\s+/g, ' ').trim()
const tagged = (node: HtmlElement, tag: string): HtmlElement[] =>
  node.children
    .filter(isElement)
    .flatMap((one) => (one.tag === tag ? [one] : one.tag === 'table' ? [] : tagged(one, tag)))

/** The blocks of a page, from above. */
function blocksOf(node: HtmlElement): Block[] {
  if (node.tag === 'table') {
    const rows = tagged(node, 'tr')
    const nested = rows.some((row) => row.children.some(hasBlocks) && tagged(row, 'td').some((cell) => hasTable(cell)))
    return nested ? rows.flatMap((row) => row.children.filter(isElement).flatMap(blocksOf)) : [tableOf(rows)]
  }
  const blocks: Block[] = []
  let line: HtmlNode[] = []
  const endLine = (): void => {
    const row = cellsOfLine(line)
    if (row.length > 0) blocks.push({ isTable: false, rows: [row] })
    line = []
  }
  const own = node.children.filter(isBlock)
  const isPair =
    own.length === 2 && own.length === node.children.filter((one) => isElement(one) || one.text.trim() !== '').length
  const [label = '', value = ''] = own.map((one) => textOf(one))
  if (isPair && !own.some(hasBlocks) && label.length <= labelMax && label !== '' && value !== '')
    return [{ isTable: false, rows: [[label, value]] }]
  for (const child of node.children) {
    if (isElement(child) && child.tag === 'br') endLine()
    else if (isBlock(child) || hasBlocks(child)) {
      endLine()
      blocks.push(...blocksOf(child as HtmlElement))
    } else line.push(child)
  }
  endLine()
  return blocks
}

const hasTable = (node: HtmlElement): boolean =>
  node.children.some((one) => isElement(one) && (one.tag === 'table' || hasTable(one)))

/** The cells of a line: its elements where it has no other text, a label and its value, or the line. */
function cellsOfLine(nodes: readonly HtmlNode[]): Row {
  const filled = nodes.filter((node) => textOf(node) !== '')
  const isApart = filled.every((node, at) => at === 0 || isElement(node) || !/^\s/.test(node.text))
  if (filled.length > 1 && filled.slice(0, -1).every(isElement) && isApart) return filled.map((node) => textOf(node))
  const text = textOf(...nodes)
  const [, label = '', value = ''] = /^([^:]{2,40}):\s+(\S.*)$/.exec(text) ?? []
  return label === '' ? [text].filter((one) => one !== '') : [label, value]
}

function tableOf(rows: readonly HtmlElement[]): Block {
  const grid: string[][] = rows.map(() => [])
  for (const [at, row] of rows.entries()) {
    let column = 0
    for (const cell of row.children.filter((one) => isElement(one) && /^t[dh]$/.test(one.tag)) as HtmlElement[]) {
      while (grid[at]?.[column] !== undefined) column++
      const [wide, high] = ['colspan', 'rowspan'].map((name) =>
        Math.max(1, Number.parseInt(cell.attributes[name] ?? '1', 10)),
      )
      for (let down = 0; down < (high ?? 1); down++)
        for (let right = 0; right < (wide ?? 1); right++) (grid[at + down] ?? [])[column + right] ??= ''
      ;(grid[at] as string[])[column] = textOf(...cell.children)
      column += wide ?? 1
    }
  }
  return {
    isTable: true,
    rows: grid.map((row) => Array.from(row, (cell) => cell ?? '')).filter((row) => row.some((cell) => cell !== '')),
  }
}

/** All numbers and dates of a truth. */
function leavesOf(value: Json): (string | number)[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (isJsonObject(value)) return Object.values(value).flatMap((one) => leavesOf(one ?? null))
  return typeof value === 'string' || typeof value === 'number' ? [value] : []
}

interface Style {
  readonly mark: '.' | ','
  readonly isDayFirst: boolean
}

/** The decimal mark and the order of dates that a page prints its answers in. */
function styleOf({ html, truth }: PrintedPage): Style {
  const leaves = leavesOf(truth)
  const cents = leaves
    .filter((one) => typeof one === 'number' && !Number.isInteger(one))
    .map((one) => Math.abs(Number(one)).toFixed(2).slice(-3))
  const days = leaves.flatMap((one) => (/^\d{4}-\d\d-\d\d$/.test(String(one)) ? [String(one).split('-')] : []))
  const count = (texts: readonly string[]): number => texts.filter((text) => html.includes(text)).length
  const inOrder = (first: 1 | 2): number =>
    count(days.flatMap((day) => ['/', '.', '-'].map((mark) => `${day[first]}${mark}${day[3 - first]}${mark}`)))
  return {
    mark: count(cents) >= count(cents.map((text) => text.replace('.', ','))) ? '.' : ',',
    isDayFirst: inOrder(2) >= inOrder(1),
  }
}

/** A cell as a spreadsheet has it: a number, or a date, which is read as its ISO form. */
function typed(cell: string, { mark, isDayFirst }: Style): string | number {
  const bare = cell.replace(/[ \u00a0'’]|[€$£]/gu, '').replace('−', '-')
  const other = mark === '.' ? ',' : '\\.'
  if (new RegExp(`^-?(?:[1-9]\\d{0,2}(?:${other}\\d{3})+|0|[1-9]\\d{0,8})(?:\\${mark}\\d{1,4})?$`).test(bare))
    return Number(bare.replace(new RegExp(other, 'g'), '').replace(',', '.'))
  const [, first = '', second = '', year] = /^(\d\d?)[./-](\d\d?)[./-](\d{4})$/.exec(cell) ?? []
  if (year === undefined) return cell
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const plain = (text: Json): string =>
  String(text)
    .split('||')[0]
    ?.toLowerCase()
    .replace(/[^\p{L}\d]/gu, '') ?? ''

const listsOf = (page: PrintedPage): [name: string, items: readonly JsonObject[]][] =>
  Object.entries(page.truth).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 ? [[name, value as JsonObject[]]] : [],
  )

/** The number of texts of an item that a row has. */
function sharedWith(row: Row, item: JsonObject): number {
  const cells = new Set(row.map(plain))
  return Object.values(item).filter((value) => typeof value === 'string' && cells.has(plain(value))).length
}

/** The headings and rows of a table that are of lists, if it has any: the last row above them has the headings. */
function listRowsOf({ rows }: Block, page: PrintedPage): Row[] | null {
  const items = listsOf(page).flatMap(([, own]) => own)
  const own = rows.filter((row) => items.some((item) => sharedWith(row, item) > 0))
  const first = own[0] === undefined ? -1 : rows.indexOf(own[0])
  return own.length < 2 || first < 1 ? null : [rows[first - 1] as Row, ...own]
}

/** The parts of a file: sheets of a workbook, one part of a CSV file. Null if the page has nothing for such a form. */
function partsOf(page: PrintedPage, form: SheetForm, draw: (what: string) => number): Row[][] | null {
  const blocks = blocksOf(parseHtml(page.html))
  if (form === 'named') return namedParts(page, draw)
  const listed = blocks.map((block) => (block.isTable ? listRowsOf(block, page) : null))
  if (form === 'plain') {
    const parts = listed.flatMap((rows) => (rows ? [rows] : []))
    // Without the titles above them, lists with the same headings are the same.
    return parts.length === 0 || listsOf(page).length > 1 ? null : parts
  }
  const isWanted = (at: number): boolean =>
    listed[at] !== null || (blocks[at]?.isTable === false && (listed[at + 1] ?? listed[at + 2] ?? null) !== null)
  const kept = form === 'whole' ? blocks : blocks.filter((_, at) => isWanted(at))
  const lines = kept.flatMap(({ rows }) => rows)
  const cells = lines.filter((row) => row.filter((cell) => cell !== '').length > 1).length
  if (form === 'tables' ? !kept.some(({ isTable }) => isTable) : cells < lines.length * pairsShare) return null
  const parts: Row[][] = [[]]
  for (const { isTable, rows } of kept) {
    const last = parts.at(-1) as Row[]
    if (isTable && last.length > 0 && draw('gap') < 0.6) last.push([])
    last.push(...rows)
    if (isTable) draw('sheets') < 0.3 ? parts.push([]) : last.push([])
  }
  return parts.filter((rows) => rows.length > 0)
}

/** Each list under the names of its fields and other columns, in another order. */
function namedParts(page: PrintedPage, draw: (what: string) => number): Row[][] | null {
  const { mark } = styleOf(page)
  const shown = (value: Json): string =>
    value === null
      ? ''
      : typeof value === 'number'
        ? String(value).replace('.', mark)
        : (String(value).split('||')[0] ?? '')
  const parts = listsOf(page).map(([, items]) => {
    const names = Object.keys(items[0] ?? {}).toSorted((a, b) => draw(a) - draw(b))
    return [names, ...items.map((item) => names.map((name) => shown(item[name] ?? null)))]
  })
  return parts.length === 0 ? null : parts
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell

/** A printed page as a file of some form; null if it has nothing for the form. */
export async function madeSheet(page: PrintedPage, form: SheetForm): Promise<MadeSheet | null> {
  const id = `${page.name}-${form}`
  const draw = (what: string): number => shareOf(`${id}/${what}`)
  const parts = partsOf(page, form, draw)
  if (parts === null) return null
  const style = styleOf(page)
  const asked =
    form === 'whole'
      ? page
      : {
          ...page,
          fields: Object.fromEntries(
            Object.entries(page.fields).filter(([name]) => listsOf(page).some(([list]) => list === name)),
          ),
        }
  const common = {
    page,
    id,
    form,
    schema: schemaOf(asked),
    truth: Object.fromEntries(Object.entries(page.truth).filter(([name]) => name in asked.fields)),
  }
  const shifted = draw('shift') < 0.15 ? parts.map((rows) => rows.map((row) => ['', ...row])) : parts
  if (draw('excel') < 0.5) {
    const isTyped = draw('typed') < 0.7
    const sheets = shifted.map(
      (rows, at) =>
        [`Sheet${at + 1}`, rows.map((row) => row.map((cell) => (isTyped ? typed(cell, style) : cell)))] as const,
    )
    return { ...common, fileName: `${id}.xlsx`, bytes: await madeExcel(Object.fromEntries(sheets)) }
  }
  const delimiter = style.mark === ',' ? ';' : draw('delimiter') < 0.7 ? ',' : '\t'
  const rows = shifted.flatMap((own, at) => (at === 0 ? own : [[], ...own]))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const lines = rows.map((row) =>
    Array.from({ length: width }, (_, at) => quoted(row[at] ?? '', delimiter)).join(delimiter),
  )
  return { ...common, fileName: `${id}.${delimiter === '\t' ? 'tsv' : 'csv'}`, bytes: Buffer.from(lines.join('\r\n')) }
}

/** Files of all printed pages: of those that only measure, or of the others. */
export async function* madeSheets(which: 'measuring' | 'training'): AsyncGenerator<MadeSheet> {
  for (const page of await printedPages()) {
    if (measuringSets.has(page.set) !== (which === 'measuring')) continue
    for (const form of sheetForms) {
      const made = await madeSheet(page, form)
      if (made !== null) yield made
    }
  }
}

const declaredAs = (fileName: string): { declared?: DeclaredText } => {
  const declared = declaredByName(fileName)
  return declared === undefined ? {} : { declared }
}

/** The files with lists of pages that train, each in the set of its page. */
export async function* sheetDocuments(): AsyncGenerator<LabelledDocument> {
  for await (const { page, id, bytes, fileName, schema, truth } of madeSheets('training')) {
    if (!Object.values(truth).some(Array.isArray)) continue
    const document = await readDocument({ bytes, ...declaredAs(fileName) })
    yield { set: printedSetOf(page), id, document, schema, truth, accepts: {}, recognised: false, isRight: isSame }
  }
}
