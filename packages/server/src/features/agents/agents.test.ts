import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameFromPrompt, normalisedPrompt, parseAgentName } from './agents.ts'

describe('a prompt identifies its agent', () => {
  test('whatever its white space, case and Unicode form', () => {
    expect(normalisedPrompt('  Extract\n\tthe  TOTAL ')).toBe('extract the total')
    expect(normalisedPrompt('Straße ﬁnden')).toBe(normalisedPrompt('strasse finden').replace('strasse', 'straße'))
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (prompt) => {
        expect(normalisedPrompt(`\n ${normalisedPrompt(prompt)}\t`)).toBe(normalisedPrompt(normalisedPrompt(prompt)))
      }),
    )
  })

  test('and names it by its first significant words', () => {
    expect(nameFromPrompt('Please extract all of the fields from this invoice')).toBe('extract-fields-invoice')
    expect(nameFromPrompt('Lies die Rechnung: Größe & Preis')).toBe('lies-die-rechnung-größe-preis')
    expect(nameFromPrompt(' …!? ')).toBe('agent')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (prompt) => {
        const name = nameFromPrompt(prompt)
        expect(name.length > 0 && name.length <= 60 && !/[\s:]/.test(name)).toBe(true)
      }),
    )
  })
})

describe('a name may include a version', () => {
  test('a number is that version; none, and latest, the newest', () => {
    expect(parseAgentName('invoice:3')).toEqual({ name: 'invoice', version: 3 })
    for (const text of ['invoice', 'invoice:', 'invoice:latest', 'invoice:LATEST'])
      expect(parseAgentName(text)).toEqual({ name: 'invoice', version: null })
    expect(parseAgentName('a:b:12')).toEqual({ name: 'a:b', version: 12 })
  })

  test('any other version is unknown', () => {
    for (const text of ['invoice:0', 'invoice:1.5', 'invoice:newest', 'invoice:-1'])
      expect(() => parseAgentName(text)).toThrow(/There is no agent/)
  })
})
