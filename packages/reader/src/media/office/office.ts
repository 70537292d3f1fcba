import { buffer as wholeOf } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { zipEntries } from '../archive/zip-entries.ts'
import type { DocumentWarning, Page } from '../document.ts'
import { damaged, tooLarge, unknownPage } from '../faults.ts'
import { gridPage, withoutSpans } from '../text/grid.ts'
import { wordsOfHtml } from '../text/html.ts'
import { withShownNumbers } from './number-formats.ts'
import { escaped, xmlToHtml } from './xml-to-html.ts'

const openXml = 'application/vnd.openxmlformats-officedocument.'
const openDocument = 'application/vnd.oasis.opendocument.'

/** The parts of a file as HTML, and what was left out of it. */
interface Parts {
  readonly parts: readonly string[]
  readonly warnings?: readonly DocumentWarning[]
}

type Reader = (bytes: Uint8Array) => Promise<readonly string[] | Parts>

/** Converters to HTML, one part per page: a text is one page, as is each sheet or slide. */
const readers: Readonly<Record<string, Reader>> = {
  [`${openXml}wordprocessingml.document`]: wordToHtml,
  [`${openXml}spreadsheetml.sheet`]: sheetsToHtml,
  [`${openXml}presentationml.presentation`]: slidesToHtml,
  [`${openDocument}text`]: (bytes) => contentToHtml(bytes),
  [`${openDocument}spreadsheet`]: (bytes) => contentToHtml(bytes, 'table:table'),
  [`${openDocument}presentation`]: (bytes) => contentToHtml(bytes, 'draw:page'),
  'application/epub+zip': chaptersOf,
}

/** True when the pages of an office file are spreadsheet sheets. */
const isSheet = (mediaType: string): boolean => mediaType.includes('spreadsheet')

/** True for media types of office files and e-books that are supported. */
export const isOffice = (mediaType: string): boolean => Object.hasOwn(readers, mediaType)

/**
 * Reads an office file as pages of words on a grid: a Word or OpenDocument text as one page, and each sheet, slide and
 * chapter as one. Words have no span, as their source is no text. Process pool only. Throws the Faults of
 * `readDocument`.
 */
export async function readOffice(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  request: { pageIndices?: readonly number[] },
): Promise<{
  readonly pageCount: number
  readonly pages: readonly Page[]
  readonly warnings?: readonly DocumentWarning[]
}> {
  const read = await (readers[mediaType] as Reader)(bytes)
  const { parts, warnings = [] } = 'parts' in read ? read : { parts: read }
  const pageCount = Math.max(1, parts.length)
  const missing = request.pageIndices?.find((index) => index >= pageCount)
  if (missing !== undefined) throw unknownPage(missing, pageCount)
  const wanted = request.pageIndices ?? parts.map((_part, index) => index)
  return {
    pageCount,
    ...(warnings.length > 0 && { warnings }),
    pages: wanted
      .map(
        (index): Page => ({
          ...gridPage(wordsOfHtml(parts[index] ?? '')),
          index,
          ...(isSheet(mediaType) && { isTabular: true }),
        }),
      )
      .map(withoutSpans),
  }
}

/** The maximum XML of one office file, which is parsed in memory: about the size of 500,000 words, the maximum number that is read. */
const xmlBytesMax = 64 * 1024 * 1024

const partsOf = (bytes: Uint8Array, isWanted: (name: string) => boolean): Promise<Map<string, Buffer>> =>
  zipEntries(bytes, { bytesMax: xmlBytesMax, isWanted })

/**
 * A copy of the file with only its XML, uncompressed: for libraries that unpack without a limit, or that may find other
 * entries in an ambiguous zip than were checked here. `prepare` changes the parts, and throws for one that they must not
 * get.
 */
async function withXmlAlone(
  bytes: Uint8Array,
  prepare?: (parts: ReadonlyMap<string, Buffer>) => Promise<ReadonlyMap<string, Buffer>>,
): Promise<Buffer> {
  const zip = new ZipFile()
  const parts = await partsOf(bytes, (name) => /\.(xml|rels)$/i.test(name))
  for (const [name, content] of prepare ? await prepare(parts) : parts)
    zip.addBuffer(content, name, { compress: false })
  zip.end()
  return await wholeOf(zip.outputStream)
}

const broken = (what: string) => (): never => {
  throw damaged(`The ${what} is damaged and cannot be read.`)
}

async function wordToHtml(bytes: Uint8Array): Promise<readonly string[]> {
  const { default: mammoth } = await import('mammoth')
  const buffer = await withXmlAlone(bytes)
  // External files are never accessed; images inside have no words that are read here.
  const options = { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) }
  const { value } = await mammoth.convertToHtml({ buffer }, options).catch(broken('Word file'))
  return [value]
}

const sheetTag = /<(?:[\w.-]{1,20}:)?sheet\s((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,4000})>/g

/** For each sheet that a workbook names, whether people see it. */
const areHidden = (workbook: Buffer): boolean[] =>
  [...workbook.toString('utf8').matchAll(sheetTag)].map(([, attributes = '']) =>
    /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/.test(` ${attributes}`),
  )

/** The sheets that people see; the others are named in a warning. */
async function sheetsToHtml(bytes: Uint8Array): Promise<Parts> {
  const { default: readXlsxFile } = await import('read-excel-file/node')
  let isHidden: readonly boolean[] = []
  const buffer = await withXmlAlone(bytes, (xml) => {
    for (const part of xml.values()) {
      refuseWideSheet(part)
      const found = areHidden(part)
      if (found.length > 0) isHidden = found
    }
    return withShownNumbers(xml)
  })
  const all = await readXlsxFile(buffer).catch(broken('Excel file'))
  const hidden = all.filter((_, at) => isHidden[at] === true)
  const names = hidden.map(({ sheet }) => JSON.stringify(sheet)).join(', ')
  const message = `The workbook has hidden sheets, which were not read: ${names}.`
  const parts = all
    .filter((one) => !hidden.includes(one))
    .map(({ sheet, data }) => {
      const rows = data.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cellText(cell))}</td>`).join('')}</tr>`)
      return `<h2>${escaped(sheet)}</h2><table>${rows.join('')}</table>`
    })
  return { parts, ...(hidden.length > 0 && { warnings: [{ code: 'hidden_text', message }] }) }
}

/** Excel's own limits. */
const sheetRowsMax = 1_048_576
const sheetColumnsMax = 16_384
/** The maximum empty cells of a sheet: the library makes all up to the last one. */
const emptyCellsMax = 2_000_000

const rowOrCell = /<(?:[\w.-]{1,20}:)?(row|c)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,4000})>/g
const attributeIn = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** The value of the attribute "r", which says where a row or a cell is. */
const addressIn = (attributes: string): string | undefined => {
  const found = [...attributes.matchAll(attributeIn)].find(([, name]) => name === 'r')
  return found?.[2] ?? found?.[3]
}

/** Refuses a sheet with a row or cell that Excel cannot have, or with a few cells so far apart that the empty ones between are too many. */
function refuseWideSheet(part: Buffer): void {
  if (!part.includes('sheetData')) return
  let [rows, columns, cells] = [0, 0, 0]
  for (const [, tag, attributes = ''] of part.toString('latin1').matchAll(rowOrCell)) {
    const address = addressIn(attributes)
    if (address === undefined) continue
    const [, letters = '', digits] = (tag === 'row' ? /^()(\d{1,7})$/ : /^([A-Z]{1,3})(\d{1,7})$/).exec(address) ?? []
    const row = Number(digits)
    const column = letters.split('').reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
    if (!(row >= 1 && row <= sheetRowsMax && column <= sheetColumnsMax))
      throw damaged(
        `The Excel file is damaged: no sheet has a ${tag === 'row' ? 'row' : 'cell'} ${JSON.stringify(address.slice(0, 30))}.`,
      )
    // A cell without content makes no others.
    if (tag === 'row' || attributes.endsWith('/')) continue
    rows = Math.max(rows, row)
    columns = Math.max(columns, column)
    cells++
  }
  const empty = rows * columns - cells
  if (empty > emptyCellsMax)
    throw tooLarge(
      `A sheet of the Excel file has ${rows} rows and ${columns} columns, of which ${empty} cells are empty; at most ${emptyCellsMax} may be. Move the cells that are far away from the others, or save the sheet as CSV.`,
    )
}

/** A cell as text: a date as YYYY-MM-DD, with its time if any. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  const text = cell.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

async function slidesToHtml(bytes: Uint8Array): Promise<readonly string[]> {
  const number = (name: string): number => Number(/slide(\d+)\.xml$/.exec(name)?.[1] ?? 0)
  const slides = await partsOf(bytes, (name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
  return [...slides]
    .toSorted(([left], [right]) => number(left) - number(right))
    .map(([, xml]) => xmlToHtml(xml.toString('utf8')).join(''))
}

async function contentToHtml(bytes: Uint8Array, part?: string): Promise<readonly string[]> {
  const content = (await partsOf(bytes, (name) => name === 'content.xml')).get('content.xml')
  if (!content) return broken('OpenDocument file')()
  return xmlToHtml(content.toString('utf8'), part)
}

/** The chapters of an e-book in the order of its spine. */
async function chaptersOf(bytes: Uint8Array): Promise<readonly string[]> {
  const files = await partsOf(bytes, (name) => /\.(x?html?|opf)$/i.test(name))
  const [, opf] = [...files].find(([name]) => name.endsWith('.opf')) ?? []
  const packageText = opf?.toString('utf8') ?? ''
  const items = new Map(
    [...packageText.matchAll(/<item\s[^>]*>/g)].map(([item]) => [attribute(item, 'id'), attribute(item, 'href')]),
  )
  const spine = [...packageText.matchAll(/<itemref\s[^>]*>/g)].map(([item]) => items.get(attribute(item, 'idref')))
  const chapters = spine.flatMap((href) => [...files].find(([name]) => href && name.endsWith(href))?.[1] ?? [])
  return (chapters.length > 0 ? chapters : [...files.values()].filter((file) => file !== opf)).map((one) =>
    one.toString('utf8'),
  )
}

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? ''
