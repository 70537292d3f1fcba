import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangeOf } from './range.ts'

test('every parsed range lies within the content and is the requested one', () => {
  const size = fc.integer({ min: 1, max: 10_000 })
  const position = fc.integer({ min: 0, max: 12_000 })
  fc.assert(
    fc.property(size, position, position, (bytes, from, to) => {
      const asked = rangeOf(`bytes=${from}-${to}`, bytes)
      if (to < from) expect(asked).toBe('all')
      else if (from >= bytes) expect(asked).toBe('none')
      else expect(asked).toEqual({ start: from, end: Math.min(to, bytes - 1) })
      expect(rangeOf(`bytes=${from}-`, bytes)).toEqual(from < bytes ? { start: from, end: bytes - 1 } : 'none')
      const last = { start: Math.max(0, bytes - to), end: bytes - 1 }
      expect(rangeOf(`bytes=-${to}`, bytes)).toEqual(to > 0 ? last : 'none')
    }),
  )
})

test('anything but a single byte range is ignored', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=1.5-2',
    'bytes=-1-2',
    `bytes=${'9'.repeat(40)}-`,
  ]) {
    expect(rangeOf(header, 100), String(header)).toBe('all')
  }
})

test('empty content has no ranges', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(rangeOf(header, 0)).toBe('none')
})
