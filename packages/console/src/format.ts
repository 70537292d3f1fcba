const locale = 'en-GB'
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const shortTime = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortDate = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

export const longTime = (iso: string): string => dateTime.format(new Date(iso))

/** The time of day for today, else day and time. */
export function briefTime(iso: string): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? shortTime : shortDate).format(at)
}

/** Dollars with as many digits as a small price needs. */
export function dollars(amount: number | null): string {
  if (amount === null) return '–'
  if (amount === 0) return '$0'
  return `$${amount.toFixed(amount >= 1 ? 2 : 6).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A moment in film or sound: `1:05`, `1:05.5`, `1:01:05`. */
export function clockTime(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10]
  const told = `${rest < 10 ? '0' : ''}${rest}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${told}` : `${minutes}:${told}`
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const size = bytes / 1000 ** power
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`
}

/** How many of something, in words. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`

const initials = /\b(?:api|bic|ean|gst|iban|id|po|sku|url|vat)\b/gi

/** A name of the wire as people write it: `invoice_number` → `Invoice number`. */
export function label(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  if (words === '') return name
  const told = words.replaceAll(initials, (word) => word.toUpperCase())
  return told[0]?.toUpperCase() + told.slice(1)
}

/** The signed address on whatever host this page came from. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
