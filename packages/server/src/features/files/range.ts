/** Part of `bytes` bytes, both ends inclusive; `'all'`; or `'none'` for a range outside. */
export type ByteRange = { readonly start: number; readonly end: number } | 'all' | 'none'

/**
 * Parses a `Range` header (RFC 9110 section 14.2) for content of `bytes` bytes. Anything but a single byte range is ignored, as the RFC
 * allows, and means all bytes.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange {
  const match = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '')
  if (!match) return 'all'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'all'
  if (from === '') {
    const suffix = Math.min(Number(to), bytes)
    return suffix === 0 ? 'none' : { start: bytes - suffix, end: bytes - 1 }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return 'all'
  if (start >= bytes) return 'none'
  return { start, end: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) }
}
