import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { checkCodes } from './code-checks.ts'

const text = { type: 'string' }
const properties = {
  line_items: { type: 'array', items: { type: 'object', properties: { sku: text, description: text } } },
}
const [list] = listFields(planSchema({ type: 'object', properties })).lists

/** The codes of a list that remain, on a scan or in a text layer. */
function left(codes: readonly string[], isScan = true) {
  if (list === undefined) throw new TypeError('no list')
  const rows = codes.map((value) => {
    const finding: Finding = {
      value,
      evidence: { status: 'verified', confidence: 0.9 },
      ...(isScan && { ocrConfidence: 0.95 }),
    }
    return new Map([['/sku', finding]])
  })
  checkCodes(list, rows)
  return rows.map((row) => row.get('/sku')?.value)
}

test('a letter in a scanned code becomes the digit it resembles where all other codes have a digit', () => {
  expect(left(['P101.20', 'Z442.93', 'PO14.75', 'AS89.32', 'K345.50', 'M112.07'])).toEqual([
    'P101.20',
    'Z442.93',
    'P014.75',
    'A589.32',
    'K345.50',
    'M112.07',
  ])
})

test('a scanned code with a digit where all others have a letter is withdrawn: it is unknown which letter it was', () => {
  expect(left(['P101.20', '7442.93', 'K345.50', 'M112.07'])).toEqual(['P101.20', undefined, 'K345.50', 'M112.07'])
})

test('codes of many forms do not contradict each other, and text layers are never corrected', () => {
  const mixed = ['P101.20', '7442', 'AB-1', 'K345.50']
  expect(left(mixed)).toEqual(mixed)
  const printed = ['P101.20', '7442.93', 'K345.50', 'M112.07']
  expect(left(printed, false)).toEqual(printed)
})
