import { describe, expect, test } from 'vitest'
import { eInvoice, madeCii, madeUbl } from '../testing/made-e-invoice.ts'
import { looksLikeInvoice } from './looks-like-invoice.ts'
import { readInvoice } from './read-invoice.ts'
import { parseXml } from './xml.ts'

const prefixes = new Map([['urn:a', 'a']])

describe('parseXml', () => {
  test('names elements by namespace, not by the prefix of the file', () => {
    const root = parseXml('<x:r xmlns:x="urn:a"><c xmlns="urn:a"/><c/></x:r>', prefixes)
    expect([root.name, ...root.children.map(({ name }) => name)]).toEqual(['a:r', 'a:c', 'c'])
  })

  test('gives the text of an element without outer white space, and where it stands', () => {
    const xml = '<r>\n  <a> A &amp; B </a><b><![CDATA[<5]]></b><c/></r>'
    const [a, b, c] = parseXml(xml, prefixes).children
    expect([a?.text, b?.text, c?.text]).toEqual(['A & B', '<5', ''])
    expect(xml.slice(...(a?.span ?? [0, 0]))).toBe('A &amp; B')
  })

  test.each([
    ['a document type', '<!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>', 'unreadable_document'],
    ['an element that is not closed', '<r><a></r>', 'unreadable_document'],
    ['no element', 'text', 'unreadable_document'],
    ['too many levels', '<r>'.repeat(65) + '</r>'.repeat(65), 'input_too_costly'],
    ['too many elements', `<r>${'<a/>'.repeat(500_000)}</r>`, 'input_too_costly'],
  ])('refuses %s', (_, xml, code) => {
    expect(() => parseXml(xml, prefixes)).toThrow(expect.objectContaining({ code }))
  })

  test('leaves an entity that is not declared as it is written', () => {
    expect(parseXml('<r>&x;</r>', prefixes).text).toBe('&x;')
  })
})

describe('looksLikeInvoice', () => {
  test.each([
    ['CII', madeCii(eInvoice), true],
    ['UBL behind a comment', madeUbl(eInvoice), true],
    ['a credit note', madeUbl(eInvoice, 'CreditNote'), true],
    ['another namespace', '<Invoice xmlns="urn:other"><ID>1</ID></Invoice>', false],
    ['no namespace', '<Invoice a="b"><ID>1</ID></Invoice>', false],
    ['an invoice within another document', `<div>${madeUbl(eInvoice)}</div>`, false],
    ['text', 'Invoice <Invoice number>', false],
  ])('%s: %#', (_, text, looks) => {
    expect(looksLikeInvoice(text)).toBe(looks)
  })
})

describe('readInvoice', () => {
  const termsOf = (xml: string) =>
    new Map(
      readInvoice(xml)?.data.values.map(({ term, text, element, at }) => [`${term}/${at ?? ''}`, { text, element }]),
    )

  test('gives both syntaxes the same business terms', () => {
    const [cii, ubl] = [termsOf(madeCii(eInvoice)), termsOf(madeUbl(eInvoice))]
    for (const id of [
      'BT-1/',
      'BT-5/',
      'BT-27/',
      'BT-31/',
      'BT-44/',
      'BT-84/0',
      'BT-112/',
      'BT-119/0',
      'BT-130/1',
      'BT-153/1',
    ])
      expect([id, cii.get(id)?.text]).toEqual([id, ubl.get(id)?.text])
  })

  test('distinguishes elements of one name by their content', () => {
    const terms = termsOf(madeCii(eInvoice))
    expect([terms.get('BT-31/')?.text, terms.get('BT-32/')?.text]).toEqual(['DE811907980', '60/123/45678'])
    expect(terms.get('BT-31/')?.element).toMatch(/ram:SpecifiedTaxRegistration\[2\]\/ram:ID$/)
  })

  test('distinguishes the tax in the currency of the invoice from that in the accounting currency', () => {
    const xml = madeCii(eInvoice).replace(
      '<ram:TaxTotalAmount currencyID="EUR">',
      '<ram:TaxTotalAmount currencyID="DKK">1056.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">',
    )
    const terms = termsOf(xml)
    expect([terms.get('BT-110/')?.text, terms.get('BT-111/')?.text]).toEqual(['141.65', '1056.00'])
  })
})
