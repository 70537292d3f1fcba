import { expect, test } from 'vitest'
import type { Finding } from './assemble.ts'
import { settleDoubts } from './doubts.ts'
import { listFields } from './fields.ts'
import { planSchema } from './plan.ts'

const schema = { type: 'object', properties: { buyer_name: { type: 'string', description: 'Company that orders' } } }

/** Whether a name of the buyer stays that was found with so much support, on a scan or in a text layer. */
function stays(confidence: number, isScan: boolean): boolean {
  const finding: Finding = {
    value: 'Acme Tools Ltd',
    evidence: { status: 'verified', confidence },
    ...(isScan && { sureness: 0.95 }),
  }
  const single = new Map([['/buyer_name', finding]])
  settleDoubts(listFields(planSchema(schema)), { single, lists: new Map(), notes: new Map() })
  return single.has('/buyer_name')
}

test('a party of a scan stays where its own label speaks for it, and not where a label may be of another', () => {
  expect(stays(0.96, true)).toBe(true)
  expect(stays(0.82, true)).toBe(false)
  expect(stays(0.82, false)).toBe(true)
})
