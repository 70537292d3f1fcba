import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { checkFindings } from './check-findings.ts'

const schema = { type: 'object', properties: { buyer_name: { type: 'string', description: 'Company that orders' } } }

/** Whether a buyer's name with the given confidence is kept, on a scan or in a text layer. */
function stays(confidence: number, isScan: boolean): boolean {
  const finding: Finding = {
    value: 'Acme Tools Ltd',
    evidence: { status: 'verified', confidence },
    ...(isScan && { ocrConfidence: 0.95 }),
  }
  const single = new Map([['/buyer_name', finding]])
  checkFindings(listFields(planSchema(schema)), { single, lists: new Map(), notes: new Map(), warnings: [] })
  return single.has('/buyer_name')
}

test('a party on a scan is kept when its own label supports it, and not when the label may belong to another party', () => {
  expect(stays(0.96, true)).toBe(true)
  expect(stays(0.82, true)).toBe(false)
  expect(stays(0.82, false)).toBe(true)
})

test('a party on a scan is kept when the other party is named: they cannot be confused', () => {
  const both = {
    type: 'object',
    properties: {
      supplier_name: { type: 'string' },
      buyer_name: { type: 'string', description: 'Company that orders' },
    },
  }
  const names = (ofSeller: number) => {
    const finding = (value: string, confidence: number): Finding => ({
      value,
      evidence: { status: 'verified', confidence },
      ocrConfidence: 0.95,
    })
    const single = new Map([
      ['/supplier_name', finding('Borealis GmbH', ofSeller)],
      ['/buyer_name', finding('Acme Tools Ltd', 0.82)],
    ])
    checkFindings(listFields(planSchema(both)), { single, lists: new Map(), notes: new Map(), warnings: [] })
    return [...single.keys()]
  }
  expect(names(0.93)).toEqual(['/supplier_name', '/buyer_name'])
  expect(names(0.6)).toEqual(['/supplier_name'])
})

test('a phone number on a scan is kept only if complete', () => {
  const phones = { type: 'object', properties: { phone: { type: 'string', description: 'Phone number' } } }
  const staysPhone = (value: string, isScan: boolean) => {
    const finding: Finding = {
      value,
      evidence: { status: 'verified', confidence: 0.9 },
      ...(isScan && { ocrConfidence: 0.95 }),
    }
    const single = new Map([['/phone', finding]])
    checkFindings(listFields(planSchema(phones)), { single, lists: new Map(), notes: new Map(), warnings: [] })
    return single.size === 1
  }
  expect(staysPhone('555-0170', true)).toBe(false)
  expect(staysPhone('555-0170', false)).toBe(true)
  expect(staysPhone('(506) 555-0170', true)).toBe(true)
})

test('one name for both parties is withdrawn on a scan; in a text layer a company may write to itself', () => {
  const both = { type: 'object', properties: { vendor_name: { type: 'string' }, customer_name: { type: 'string' } } }
  const left = (names: readonly [string, string], isScan = true) => {
    const single = new Map(
      names.map((value, at): [string, Finding] => [
        at === 0 ? '/vendor_name' : '/customer_name',
        { value, evidence: { status: 'verified', confidence: 0.96 }, ...(isScan && { ocrConfidence: 0.95 }) },
      ]),
    )
    checkFindings(listFields(planSchema(both)), { single, lists: new Map(), notes: new Map(), warnings: [] })
    return single.size
  }
  expect(left(['Ricci & C. S.a.s.', 'Ricci & C.'])).toBe(0)
  expect(left(['Ricci & C. S.a.s.', 'Ricci & C.'], false)).toBe(2)
  expect(left(['Ricci & C. S.a.s.', 'Officine Colombo S.p.A.'])).toBe(2)
})

test('the only party found on a scan is withdrawn if no label names it', () => {
  const both = { type: 'object', properties: { vendor_name: { type: 'string' }, customer_name: { type: 'string' } } }
  const sellerStays = (confidence: number, hasBuyer: boolean, isScan = true) => {
    const finding = (value: string, sure: number): Finding => ({
      value,
      evidence: { status: 'verified', confidence: sure },
      ...(isScan && { ocrConfidence: 0.95 }),
    })
    const single = new Map([['/vendor_name', finding('Borealis GmbH', confidence)]])
    if (hasBuyer) single.set('/customer_name', finding('Acme Tools Ltd', 0.93))
    checkFindings(listFields(planSchema(both)), { single, lists: new Map(), notes: new Map(), warnings: [] })
    return single.has('/vendor_name')
  }
  expect(sellerStays(0.6, false)).toBe(false)
  expect(sellerStays(0.6, true)).toBe(true)
  expect(sellerStays(0.9, false)).toBe(true)
  expect(sellerStays(0.6, false, false)).toBe(true)
})
