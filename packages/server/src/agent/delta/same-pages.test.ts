import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonItems } from './same-pages.ts'

const pages = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd'), { maxLength: 12 })
const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((left, right) => left - right)

test('the common pages of two versions are equal and in the same order in both', () => {
  fc.assert(
    fc.property(pages, pages, (before, now) => {
      const common = commonItems(before, now)
      const [left, right] = [sorted(common.before), sorted(common.now)]
      expect(left.map((at) => before[at])).toEqual(right.map((at) => now[at]))
    }),
  )
})

test('all pages but an added, removed or changed one are common', () => {
  fc.assert(
    fc.property(pages, fc.nat(), fc.constantFrom('added', 'removed', 'changed'), (before, seed, kind) => {
      const at = before.length === 0 ? 0 : seed % before.length
      const now = before.toSpliced(at, kind === 'added' ? 0 : 1, ...(kind === 'removed' ? [] : ['new']))
      const touched = kind === 'added' ? 0 : 1
      expect(commonItems(before, now).before.size).toBeGreaterThanOrEqual(before.length - touched)
    }),
  )
})

test('a moved page is not common', () => {
  const { before, now } = commonItems(['a', 'b', 'c'], ['b', 'c', 'a'])
  expect(sorted(before)).toEqual([1, 2])
  expect(sorted(now)).toEqual([0, 1])
})
