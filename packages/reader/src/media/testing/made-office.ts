import { ZipFile } from 'yazl'
import { escaped } from '../office/xml-to-html.ts'

/** A zip of texts by name. */
export async function madeZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const types = (overrides: string): string =>
  `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`
const relations = (target: string): string =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`

/** A Word file: paragraphs, then a table. */
export function madeWord(paragraphs: readonly string[], table: readonly (readonly string[])[] = []): Promise<Buffer> {
  const run = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
  const rows = table.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${run(cell)}</w:tc>`).join('')}</w:tr>`)
  return madeZip({
    '[Content_Types].xml': types(
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
    ),
    '_rels/.rels': relations('word/document.xml'),
    'word/document.xml': `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs.map(run).join('')}${rows.length > 0 ? `<w:tbl>${rows.join('')}</w:tbl>` : ''}</w:body></w:document>`,
  })
}

/** A number with its number format. */
interface FormattedNumber {
  readonly number: number
  readonly format: string
}
type MadeCell = string | number | FormattedNumber

/** An Excel file: each sheet as rows of cells. */
export function madeExcel(sheets: Readonly<Record<string, readonly (readonly MadeCell[])[]>>): Promise<Buffer> {
  const names = Object.keys(sheets)
  const formats: string[] = []
  const styleOf = (format: string): number =>
    formats.includes(format) ? formats.indexOf(format) + 1 : formats.push(format)
  const cell = (value: MadeCell): string =>
    typeof value === 'object'
      ? `<c s="${styleOf(value.format)}"><v>${value.number}</v></c>`
      : typeof value === 'number'
        ? `<c><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  const letters = (at: number): string =>
    (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
  const placed = (rows: readonly (readonly MadeCell[])[]): string =>
    rows
      .map((row, at) => {
        const cells = row.map((value, column) => cell(value).replace('<c', `<c r="${letters(column)}${at + 1}"`))
        return `<row r="${at + 1}">${cells.join('')}</row>`
      })
      .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return madeZip({
    '[Content_Types].xml': types(
      `<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${names.map((_name, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}`,
    ),
    '_rels/.rels': relations('xl/workbook.xml'),
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${links}"><sheets>${names.map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="s${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_name, index) => `<Relationship Id="s${index + 1}" Type="${links}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${xml}<worksheet xmlns="${main}"><sheetData>${placed(sheets[name] ?? [])}</sheetData></worksheet>`,
      ]),
    ),
    ...(formats.length > 0 && {
      'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code).replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_code, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    }),
  })
}

/** A PowerPoint file of slides, each a list of lines. */
export function madePowerPoint(slides: readonly (readonly string[])[]): Promise<Buffer> {
  const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const lines = (texts: readonly string[]): string =>
    texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')
  return madeZip({
    '[Content_Types].xml': types(
      '<Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/>',
    ),
    '_rels/.rels': relations('ppt/presentation.xml'),
    ...Object.fromEntries(
      slides.map((texts, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `${xml}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="${drawing}"><p:cSld name="unseen">${lines(texts)}</p:cSld></p:sld>`,
      ]),
    ),
  })
}

/** An OpenDocument file with the given XML as its body. */
export function madeOpenDocument(kind: 'text' | 'spreadsheet' | 'presentation', body: string): Promise<Buffer> {
  const name = (word: string): string => `urn:oasis:names:tc:opendocument:xmlns:${word}:1.0`
  return madeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${xml}<office:document-content xmlns:office="${name('office')}" xmlns:text="${name('text')}" xmlns:table="${name('table')}" xmlns:draw="${name('drawing')}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })
}
