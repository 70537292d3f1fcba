import { posix, win32 } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldedPath, normalPath } from './entry-name.ts'

/** Names as attackers write them: meaningful parts, and anything else. */
const names = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '//',
        '\\',
        'C:',
        'a',
        'A',
        'SKILL.md',
        '\u0000',
        ' ',
        '\u202e',
        'é',
        'e\u0301',
        ':',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))

function pathOf(name: string): string | undefined {
  try {
    return normalPath(name)
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code: 'bad_bundle' })
    return undefined
  }
}

test("every entry's path stays within its folder, on every system, or it is refused", () => {
  let taken = 0
  fc.assert(
    fc.property(names, (name) => {
      const path = pathOf(name)
      if (path === undefined) return
      taken++
      for (const { resolve, sep } of [posix, win32]) {
        const root = resolve('/bundle')
        const target = resolve(root, path)
        expect(target === root || target.startsWith(root + sep)).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(50)
})

test('a path is its own normal form, and folding it again changes nothing', () => {
  fc.assert(
    fc.property(names, (name) => {
      const path = pathOf(name)
      if (path === undefined) return
      expect(pathOf(path)).toBe(path)
      expect(foldedPath(foldedPath(path))).toBe(foldedPath(path))
    }),
    { numRuns: 2_000, examples: [['STRAẞE']] },
  )
})
