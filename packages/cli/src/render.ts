/** A JSON document as text that ends in a newline. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * Text of others made safe to show: control characters, and those that turn the direction of text, which a terminal would obey,
 * become spaces.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')

/**
 * Rows under headings, columns separated by two spaces. With `columnsMax` the last cell of a row is cut so that the row fits the
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

/** Names and values below each other. */
export function renderFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}\n`).join('')
}

/** Bytes in the largest unit of 1000 that leaves a number of at least 1, such as `12.3 MB`. */
export function renderBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** A duration in seconds, with tenths below ten seconds; in milliseconds below a tenth. */
export const renderDuration = (ms: number): string =>
  ms < 100 ? `${Math.round(ms)} ms` : ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`

/** A moment of the wire, `2026-11-21T15:04:05.123Z`, as `2026-11-21 15:04:05Z`; a dash for none. */
export const renderMoment = (moment: string | null): string =>
  moment === null ? '-' : moment.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2Z')

/** Dollars to the tenth of a cent or as many decimals as a small amount needs; a dash for none. */
export function renderDollars(dollars: number | null): string {
  if (dollars === null) return '-'
  return `$${dollars === 0 || dollars >= 0.01 ? dollars.toFixed(3) : dollars.toFixed(6)}`
}

const barCells = 24

/** A share from 0 to 1 as a bar of fixed width. */
export function renderBar(share: number): string {
  const done = Math.round(Math.min(1, Math.max(0, share)) * barCells)
  return `[${'#'.repeat(done)}${'.'.repeat(barCells - done)}]`
}
