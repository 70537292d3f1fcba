import type { Json } from '@skillrun/core/json.ts'

/** A cell of a table. */
export type Cell =
  | null
  | number
  | boolean
  | string
  /** Days since the spreadsheet epoch; with a time of day where `hasTime`. */
  | { readonly serial: number; readonly hasTime: boolean; readonly text: string }
  | { readonly link: string; readonly text: string }

const dateForm = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?Z?)?$/
const dayMs = 86_400_000
/** Day 0 of spreadsheets. They count a 29 February 1900 that never existed. */
const dayZeroMs = Date.UTC(1899, 11, 30)
const firstSerial = 61

/** The cell of a JSON value. Calendar dates, and times without an offset, become dates; lists and objects become JSON. */
export function cellOf(value: Json | undefined): Cell {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return value ?? null
  if (typeof value !== 'string') return JSON.stringify(value)
  return dateOf(value) ?? value
}

function dateOf(text: string): Cell | undefined {
  const match = dateForm.exec(text)
  if (!match) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const ms = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
  const isReal = new Date(ms).toISOString().startsWith(text.slice(0, 10)) && hour < 24 && minute < 60 && second < 60
  const serial = (ms - dayZeroMs) / dayMs
  return isReal && serial >= firstSerial ? { serial, hasTime: match[4] !== undefined, text } : undefined
}

/** Text that a spreadsheet would run as a formula if somebody typed it. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)

export const textOf = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'object') return 'link' in cell ? cell.link : cell.text
  return String(cell)
}
