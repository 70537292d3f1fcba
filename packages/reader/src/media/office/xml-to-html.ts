import { Parser } from 'htmlparser2'

/** Elements of OpenDocument text and of PowerPoint's drawings, and the element of HTML that lays out alike. */
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

/** A cell that is repeated to the edge of the sheet is empty: it takes no more columns than a person would see. */
const repeatsMax = 20

/** Text as HTML has it. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * The text and tables of an XML part as HTML, in parts: a new one begins with each element named `part`, where one is given.
 * Text counts only within a paragraph, so that names, styles and notes of the program are left out.
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
