import { dollarsText } from '@skillrun/core/figures.ts'

export { bytesText as byteSize, durationText as duration, percentText as percent } from '@skillrun/core/figures.ts'
export { label, pathLabel, valueLabel } from './label.ts'
export { exactNumber, numberText } from './number-text.ts'

const locale = navigator.language
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const shortTime = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortDate = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

export const longTime = (iso: string): string => dateTime.format(new Date(iso))

const dayText = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** A day of the calendar, with its month in words. */
export const longDay = (iso: string): string => dayText.format(new Date(iso))

/** The time for today, otherwise date and time. */
export function briefTime(iso: string): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? shortTime : shortDate).format(at)
}

const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })

/** The time of day in hours and minutes. */
export const hourText = (iso: string): string => hour.format(new Date(iso))

/** A difference of two shares in percentage points, with its sign. */
export const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`

/** A share from 0 to 1 as a percentage without decimals. */
export const wholePercent = (share: number): string => `${Math.round(share * 100)} %`

export const dollars = (amount: number | null): string => (amount === null ? '–' : dollarsText(amount))

/** A position in audio or video: `1:05`, `1:05.5`, `1:01:05`. */
export function clockTime(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10]
  const padded = `${rest < 10 ? '0' : ''}${rest}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`
}

/** A count with its noun. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`

/** The signed URL on the host of this page. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
