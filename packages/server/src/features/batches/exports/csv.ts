import { type Cell, looksLikeFormula, textOf } from './cells.ts'

/**
 * One line of RFC 4180. Text that a spreadsheet would run as a formula is quoted and gets a leading apostrophe (OWASP, CSV Injection);
 * numbers stay numbers.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  const text = textOf(cell)
  if (typeof cell === 'string' && looksLikeFormula(text)) return quoted(`'${text}`)
  return /[",\r\n]/.test(text) || text !== text.trim() ? quoted(text) : text
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
