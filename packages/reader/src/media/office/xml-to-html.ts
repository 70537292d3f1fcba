import { Parser } from 'htmlparser2'

/** Elements of OpenDocument text and of PowerPoint, and HTML elements with the same layout. */
const tags: Readonly<Record<string, string>> = {
  'text:h': 'h2',
  'text:p': 'p',
  'text:list-item': 'li',
  'text:line-break': 'br',
  'text:tab': 'tab',
  'text:s': 'space',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'table:covered-table-cell': 'td',
  'a:p': 'p',
  'a:br': 'br',
  'a:tbl': 'table',
  'a:tr': 'tr',
  'a:tc': 'td',
}

/** The maximum repetitions of a cell: one that repeats to the edge of the sheet is empty. */
const repeatsMax = 20

/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * The text and tables of an XML part as HTML, in parts: each element named `part`, if given, starts a new one. Text
 * outside paragraphs is skipped, which leaves out styles and metadata; the name of a sheet is the heading over it.
 */
export function xmlToHtml(xml: string, part?: string): string[] {
  const parts: string[] = ['']
  let paragraphs = 0
  const add = (text: string): void => {
    parts[parts.length - 1] += text
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === part) parts.push('')
        const sheetName = name === part ? attributes['table:name'] : undefined
        if (sheetName) add(`<h2>${escaped(sheetName)}</h2>`)
        const tag = tags[name]
        if (tag === undefined) return
        if (tag === 'p' || tag === 'h2') paragraphs += 1
        if (tag === 'br') add('<br>')
        else if (tag === 'tab' || tag === 'space') add(' ')
        else if (tag === 'td') {
          const repeats = Number(attributes['table:number-columns-repeated'] ?? attributes['gridSpan'] ?? 1)
          add(repeats > 1 ? `<td colspan="${Math.min(repeatsMax, repeats)}">` : '<td>')
        } else add(`<${tag}>`)
      },
      ontext(text) {
        if (paragraphs > 0) add(escaped(text))
      },
      onclosetag(name) {
        const tag = tags[name]
        if (tag === undefined || tag === 'br' || tag === 'tab' || tag === 'space') return
        if (tag === 'p' || tag === 'h2') paragraphs -= 1
        add(`</${tag}>`)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return part === undefined ? parts : parts.slice(1)
}
