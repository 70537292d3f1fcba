import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Cell, looksLikeFormula } from './cells.ts'

/** A cell with its style. */
export interface StyledCell {
  readonly cell: Cell
  /** Highlighted for people to check. */
  readonly isDoubtful?: boolean
}

export interface Sheet {
  readonly name: string
  readonly header: readonly string[]
  /** Read once, after the sheets before it are written. */
  readonly rows: () => AsyncIterable<readonly (Cell | StyledCell)[]>
}

/** Limits of a worksheet (ECMA-376). */
const rowsMax = 1_048_576
const textCharactersMax = 32_767
const sheetNameCharactersMax = 31
/** A text in a formula. */
const formulaTextCharactersMax = 255

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Indexes in `cellXfs`; the next index is the low-confidence variant. */
const styles = { plain: 0, date: 2, dateTime: 4, quoted: 6, link: 8, header: 10, boolean: 12 } as const

/**
 * Writes a workbook (ECMA-376) row by row, so memory depends on one row only. Texts are inline, never formulas. A sheet with more rows than
 * spreadsheets open ends with a row that says so.
 */
export function writeXlsx(sheets: readonly Sheet[]): Readable {
  const zip = new ZipFile()
  const names = sheetNames(sheets.map(({ name }) => name))
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(declaration + text), path)
  add('[Content_Types].xml', contentTypes(sheets.length))
  add('_rels/.rels', relations([{ type: `${officeRelations}/officeDocument`, target: 'xl/workbook.xml' }]))
  add('xl/workbook.xml', workbook(names))
  add(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheets.map((_sheet, at) => ({
        type: `${officeRelations}/worksheet`,
        target: `worksheets/sheet${at + 1}.xml`,
      })),
      { type: `${officeRelations}/styles`, target: 'styles.xml' },
    ]),
  )
  add('xl/styles.xml', stylesPart)
  const output = zip.outputStream as Readable
  for (const [at, sheet] of sheets.entries())
    zip.addReadStreamLazy(`xl/worksheets/sheet${at + 1}.xml`, (give) => {
      const text = Readable.from(sheetXml(sheet), { objectMode: false })
      // The zip stream does not notice an abort by itself.
      text.once('error', (error) => output.destroy(error))
      output.once('close', () => text.destroy())
      give(null, text)
    })
  zip.end()
  return output
}

async function* sheetXml({ header, rows }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${header.map(column).join('')}</cols><sheetData>`,
  )
  let count = 1
  yield Buffer.from(rowXml(count, header, styles.header))
  for await (const row of rows()) {
    count += 1
    if (count === rowsMax) {
      const message = 'The sheet is full. Further rows are left out; the results as JSON Lines have them.'
      yield Buffer.from(rowXml(count, [message]))
      break
    }
    yield Buffer.from(rowXml(count, row))
  }
  const last = `${columnLetters(Math.max(header.length, 1) - 1)}${count}`
  yield Buffer.from(`</sheetData><autoFilter ref="A1:${last}"/></worksheet>`)
}

const column = (heading: string, at: number): string =>
  `<col min="${at + 1}" max="${at + 1}" width="${Math.min(Math.max(heading.length + 4, 12), 40)}" customWidth="1"/>`

function rowXml(number: number, cells: readonly (Cell | StyledCell)[], style?: number): string {
  const written = cells.map((given, at) => {
    const { cell, isDoubtful = false } = isStyled(given) ? given : { cell: given }
    return cellXml(`${columnLetters(at)}${number}`, cell, { style, isDoubtful })
  })
  return `<row r="${number}">${written.join('')}</row>`
}

const isStyled = (given: Cell | StyledCell): given is StyledCell =>
  typeof given === 'object' && given !== null && 'cell' in given

function cellXml(
  place: string,
  cell: Cell,
  { style, isDoubtful }: { style: number | undefined; isDoubtful: boolean },
): string {
  const at = (own: number): string => {
    const number = (style ?? own) + (isDoubtful ? 1 : 0)
    return number === 0 ? `r="${place}"` : `r="${place}" s="${number}"`
  }
  if (cell === null) return isDoubtful ? `<c ${at(styles.plain)}/>` : ''
  if (typeof cell === 'number') return `<c ${at(styles.plain)}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c ${at(styles.boolean)} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'string')
    return `<c ${at(looksLikeFormula(cell) ? styles.quoted : styles.plain)} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
  // Excel opens no workbook with a longer one.
  if ('link' in cell && cell.link.length > formulaTextCharactersMax)
    return cellXml(place, cell.link, { style, isDoubtful })
  if ('link' in cell)
    // The only formula in the file: it contains nothing but an address made here.
    return `<c ${at(styles.link)} t="str"><f>HYPERLINK("${xmlText(cell.link.replaceAll('"', '%22'))}","${xmlText(cell.text.replaceAll('"', '""'))}")</f><v>${xmlText(cell.text)}</v></c>`
  return `<c ${at(cell.hasTime ? styles.dateTime : styles.date)}><v>${cell.serial}</v></c>`
}

/** A, B, … Z, AA, … for 0, 1, …. */
function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter
}

/** Escapes text for XML. Characters outside XML 1.0 become `_xHHHH_` (ECMA-376, ST_Xstring). */
function xmlText(text: string): string {
  const short =
    text.length > textCharactersMax ? `${text.slice(0, textCharactersMax - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
  return short
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (one) =>
      /[\t\n]/.test(one) ? one : `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Makes sheet names unique and acceptable to spreadsheets. */
function sheetNames(wanted: readonly string[]): readonly string[] {
  // Excel keeps this name for itself.
  const taken = new Set(['history'])
  return wanted.map((name) => {
    const plain = name.replaceAll(/[[\]:*?/\\\p{Cc}]/gu, '_').replaceAll(/^'|'$/g, '_') || 'Sheet'
    for (let n = 1; ; n += 1) {
      const suffix = n === 1 ? '' : ` ${n}`
      const one = plain.slice(0, sheetNameCharactersMax - suffix.length).toWellFormed() + suffix
      if (taken.has(one.toLowerCase())) continue
      taken.add(one.toLowerCase())
      return one
    }
  })
}

const workbook = (names: readonly string[]): string =>
  `<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets>${names
    .map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
    .join('')}</sheets></workbook>`

const relations = (all: readonly { type: string; target: string }[]): string =>
  `<Relationships xmlns="${packageRelations}">${all
    .map(({ type, target }, at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

function contentTypes(sheets: number): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const parts = Array.from({ length: sheets }, (_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, 'worksheet'])
  const overrides = [['/xl/workbook.xml', 'sheet.main'], ['/xl/styles.xml', 'styles'], ...parts]
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides
    .map(([part, kind]) => `<Override PartName="${part}" ContentType="${type}.${kind}+xml"/>`)
    .join('')}</Types>`
}

/**
 * Formats in the order of `styles`: plain, date, date and time, formula-like text, link, header, boolean; each followed by its
 * low-confidence variant. LibreOffice shows a boolean as 1 or 0 unless it has the format of booleans.
 */
const stylesPart = `<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="&quot;TRUE&quot;;&quot;TRUE&quot;;&quot;FALSE&quot;"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFE699"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="14">${[
  'numFmtId="0" fontId="0"',
  'numFmtId="164" fontId="0" applyNumberFormat="1"',
  'numFmtId="165" fontId="0" applyNumberFormat="1"',
  'numFmtId="49" fontId="0" quotePrefix="1" applyNumberFormat="1"',
  'numFmtId="0" fontId="1" applyFont="1"',
  'numFmtId="0" fontId="2" applyFont="1"',
  'numFmtId="166" fontId="0" applyNumberFormat="1"',
]
  .flatMap((format) => [
    `<xf ${format} fillId="0" borderId="0" xfId="0"/>`,
    `<xf ${format} fillId="2" borderId="0" xfId="0" applyFill="1"/>`,
  ])
  .join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
