import { dollarsText } from '@skillrun/core/figures.ts'

/** A JSON document as text that ends in a newline. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Replaces control characters and characters that change the text direction, which a terminal would obey, by spaces: for text
 * from others.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')

/**
 * A table with headings; columns are separated by two spaces. With `columnsMax` the last cell of a row is truncated to fit the
 * terminal.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columnsMax?: number,
): string {
  const lines = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) => {
      const text = line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
      return columnsMax !== undefined && text.length > columnsMax ? `${text.slice(0, columnsMax - 1)}…` : text
    })
    .map((line) => `${line}\n`)
    .join('')
}

/** Names and values, one pair per line. */
export function renderFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}\n`).join('')
}

/** A moment of the wire, `2026-11-21T15:04:05.123Z`, as `2026-11-21 15:04:05Z`; a dash for none. */
export const renderMoment = (moment: string | null): string =>
  moment === null ? '-' : moment.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2Z')

/** Dollars; a dash for none. */
export const renderDollars = (dollars: number | null): string => (dollars === null ? '-' : dollarsText(dollars))

/** A difference of two shares in percentage points, with its sign. */
export const renderPoints = (share: number): string => `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)}`

const barCells = 24

/** A share from 0 to 1 as a bar of fixed width. */
export function renderBar(share: number): string {
  const done = Math.round(Math.min(1, Math.max(0, share)) * barCells)
  return `[${'#'.repeat(done)}${'.'.repeat(barCells - done)}]`
}
