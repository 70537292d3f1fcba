import { expect, test } from 'vitest'
import { namesInstitution } from '../languages/institutions.ts'
import { asksFor, kindsAskedBy, type ValueKind, valueKinds } from './value-kinds.ts'

const likeliestOf = (name: string): ValueKind | undefined => {
  const shares = kindsAskedBy(name)
  return valueKinds[shares.indexOf(Math.max(...shares))]
}

// None of these names is in the files of labels as it stands here.
test.each([
  ['tour conductor', 'person'],
  ['health card expiry', 'date'],
  ['vertrags nr', 'code'],
  ['luogo installazione', 'place'],
  ['juror address', 'address'],
  ['registering authority', 'organisation'],
  ['holzfeuchte max', 'number'],
  ['monthly gebuehr', 'money'],
  ['consignee party', 'somebody'],
] as const)('the name "%s" asks for a value of the kind %s', (name, kind) => {
  expect(likeliestOf(name)).toBe(kind)
})

test.each(['voyage', 'xqzv', ''])('the shares of all kinds for "%s" sum up to 1', (name) => {
  expect(kindsAskedBy(name).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
})

test('a name without a known word asks for nothing in particular', () => {
  for (const kind of valueKinds) expect(asksFor('xqzv', kind)).toBeLessThan(0.3)
})

test.each([
  ['Crestline Manor Apartments LLP', true],
  ["St. Gobnait's Regional Hospital", true],
  ['Amtsgericht Lüneburg', true],
  ['Kreiskrankenhaus Uelzen', true],
  ['École Jean-Jaurès', true],
  ['Silke Behrmann', false],
  ['Penicillin', false],
])('whether "%s" names an institution: %s', (text, is) => {
  expect(namesInstitution(text)).toBe(is)
})
