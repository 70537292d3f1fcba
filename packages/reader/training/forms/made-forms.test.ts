import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { readDocument } from '../../src/media/read-document.ts'
import { makeAgreement } from './agreements.ts'
import { commonFields, type FieldWords, kindsOf } from './kinds.ts'
import { formKinds, makeForm } from './made-forms.ts'

const leavesOf = (truth: JsonObject): Json[] =>
  Object.values(truth).flatMap((value) => (isJsonObject(value) ? leavesOf(value) : [value]))

const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value)

async function printedOn(bytes: Buffer): Promise<string> {
  const { pages } = await readDocument({ bytes })
  return pages.flatMap(({ words }) => words.map(({ text }) => text)).join('')
}

test('every text of the answer of a made form is printed on it, and some fields that are asked for are not', async () => {
  let absent = 0
  for (const split of ['train', 'kept-out'] as const)
    for (const kind of formKinds(split)) {
      const { pdf, truth } = await makeForm(kind, 1, split)
      const printed = await printedOn(pdf)
      const leaves = leavesOf(truth)
      expect(leaves, kind).not.toEqual([])
      absent += leaves.filter((value) => value === null).length
      for (const value of leaves)
        if (typeof value === 'string' && !isDay(value)) expect(printed, kind).toContain(value.replaceAll(' ', ''))
    }
  expect(absent).toBeGreaterThan(0)
})

test('every text of the answer of an agreement, or one that is accepted for it, is printed', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { pdf, truth, accepts } = await makeAgreement(seed)
    const printed = (await printedOn(pdf)).toLowerCase()
    for (const [name, value] of Object.entries(truth)) {
      if (typeof value !== 'string' || isDay(value)) continue
      const found = [value, ...(accepts[name] ?? [])].map((one) => one.replaceAll(' ', '').toLowerCase())
      expect(
        found.some((one) => printed.includes(one)),
        `${name} ${value}`,
      ).toBe(true)
    }
  }
})

test('the same seed makes the same form, another one another', async () => {
  const [first, same, other] = await Promise.all([3, 3, 4].map((seed) => makeForm('events', seed)))
  expect(same).toEqual(first)
  expect(other?.truth).not.toEqual(first?.truth)
})

test('every field of a kind has its words, and no kind that only measures shares its names with a kind that trains', () => {
  const complete = ({ type, names, labels }: FieldWords): boolean =>
    type !== '' && names[0] !== '' && Object.values(labels).every((words) => words.every((word) => word !== ''))
  const [trained, kept] = [kindsOf('train'), kindsOf('kept-out')]
  for (const { fields } of [...trained.values(), ...kept.values()]) expect(fields.every(complete)).toBe(true)
  expect(commonFields.length).toBeGreaterThan(0)
  expect([...kept.keys()].filter((kind) => trained.has(kind))).toEqual([])
})
