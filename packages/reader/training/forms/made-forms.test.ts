import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/media/read-document.ts'
import { formKinds, makeForm } from './made-forms.ts'

const leavesOf = (truth: JsonObject): Json[] =>
  Object.values(truth).flatMap((value) => (isJsonObject(value) ? leavesOf(value) : [value]))

test('every text of the answer of a made form is printed on it, and some fields that are asked for are not', async () => {
  let absent = 0
  for (const kind of formKinds)
    for (const seed of [1, 2]) {
      const { pdf, truth } = await makeForm(kind, seed)
      const { pages } = await readDocument({ bytes: pdf })
      const printed = pages.flatMap(({ words }) => words.map(({ text }) => text)).join('')
      const leaves = leavesOf(truth)
      expect(leaves.length).toBeGreaterThan(3)
      absent += leaves.filter((value) => value === null).length
      for (const value of leaves)
        if (typeof value === 'string' && !/^\d{4}-\d\d-\d\d$/.test(value))
          expect(printed).toContain(value.replaceAll(' ', ''))
    }
  expect(absent).toBeGreaterThan(0)
})

test('the same seed makes the same form, another one another', async () => {
  const [first, same, other] = await Promise.all([3, 3, 4].map((seed) => makeForm('events', seed)))
  expect(same).toEqual(first)
  expect(other?.truth).not.toEqual(first?.truth)
})
