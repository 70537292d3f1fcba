import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCurrencies } from '../languages/currencies.ts'
import {
  findEmails,
  findIbans,
  findIdentifier,
  findPhones,
  findSpacedCodes,
  findUrls,
  findVatNumbers,
  isIban,
} from './identifiers.ts'

test('an IBAN needs the right length and valid check digits', () => {
  expect(isIban('GB82 WEST 1234 5698 7654 32')).toBe(true)
  expect(isIban('DE89370400440532013000')).toBe(true)
  expect(isIban('DE89370400440532013001')).toBe(false)
  expect(isIban('DE8937040044053201300')).toBe(false)
  expect(findIbans('IBAN: NL91 ABNA 0417 1643 00 BIC ABNANL2A').map((match) => match.value)).toEqual([
    'NL91ABNA0417164300',
  ])
})

test('a misread letter among the check digits of an IBAN is corrected', () => {
  const values = (text: string) => findIbans(text).map((match) => match.value)
  expect(values('IBAN DEO2 1203 0000 0000 2020 51 BIC BYLADEM1001')).toEqual(['DE02120300000000202051'])
  expect(values('IBAN DEO02 1203 0000 0000 2020 51')).toEqual(['DE02120300000000202051'])
  expect(values('IBAN DEO3 1203 0000 0000 2020 51')).toEqual([])
  expect(values('TOTAL SOCIETE ANONYME AU CAPITAL')).toEqual([])
})

test('two IBANs beside each other are both found, and words after one with any kind of space are not part of it', () => {
  const values = (text: string) => findIbans(text).map((match) => match.value)
  const both = ['DE89370400440532013000', 'GB29NWBK60161331926819']
  expect(values('DE89 3704 0044 0532 0130 00 GB29 NWBK 6016 1331 9268 19')).toEqual(both)
  expect(values('IBAN DE89 3704 0044 0532 0130 00\u00a0BIC COBADEFFXXX')).toEqual(both.slice(0, 1))
  expect(values('NO 12 PAGES DE89 3704 0044 0532 0130 00')).toEqual(both.slice(0, 1))
})

test('a word after letters that are also a country is no VAT number', () => {
  const values = (text: string) => findVatNumbers(text).map((match) => match.value)
  expect(values('IT ORDER 100234, IT INVOICE 1002345')).toEqual([])
  expect(values('ES B12345674, NL 123456782B90, CHE-123.456.789 MWST')).toEqual([
    'ES B12345674',
    'NL 123456782B90',
    'CHE-123.456.789 MWST',
  ])
})

test('an IBAN with one wrong digit is rejected', () => {
  const good = 'DE89370400440532013000'
  fc.assert(
    fc.property(fc.integer({ min: 2, max: good.length - 1 }), fc.integer({ min: 1, max: 9 }), (at, shift) => {
      const digit = (Number(good[at]) + shift) % 10
      expect(isIban(good.slice(0, at) + digit + good.slice(at + 1))).toBe(false)
    }),
  )
})

test('identifiers keep the parts that belong to them and leave the rest', () => {
  expect(findIdentifier('INV-2024-001')?.value).toBe('INV-2024-001')
  expect(findIdentifier(': 7010385084 (copy)')?.value).toBe('7010385084')
  expect(findIdentifier('PO 4711')?.value).toBe('PO 4711')
  expect(findIdentifier('PX68 HJD')?.value).toBe('PX68 HJD')
  expect(findIdentifier('4711 EUR')?.value).toBe('4711')
  expect(findIdentifier('914 2407118835')?.value).toBe('914 2407118835')
  expect(findIdentifier('on receipt of goods')).toBeNull()
})

test('groups of capitals and figures are one code, without labels, units and currencies', () => {
  for (const code of ['516 D 08 2291', 'BOR-HE 418', '4471 LTB', 'FR 2026 / 118 406', '800 214 663', 'PX68 HJD'])
    for (const text of [code, `NIF ${code}`, `Kennz.: ${code}, neu`])
      expect(
        findSpacedCodes(text).map(({ value }) => value),
        text,
      ).toEqual([code])
  for (const text of ['4711 EUR', '230 KWH', '12 34', '1 234,50', '2 BEDROOMS', 'TOTAL 12', 'Seite 2 von 14'])
    expect(findSpacedCodes(text), text).toEqual([])
  expect(findIdentifier('WA 33 118/2')?.value).toBe('WA 33 118/2')
  expect(findIdentifier('5.204 KG')?.value).toBe('5.204')
})

test('e-mail, web, phone and tax numbers are found in running text', () => {
  expect(findEmails('write to a.b@example.co.uk, please')[0]?.value).toBe('a.b@example.co.uk')
  expect(findUrls('see www.example.com/x.')[0]?.value).toBe('www.example.com/x')
  expect(findPhones('Tel. +49 (0)30 1234-567')[0]?.value).toBe('+49 (0)30 1234-567')
  expect(findPhones('2024-03-09')).toEqual([])
  expect(findVatNumbers('USt-IdNr. DE 232 446 240')[0]?.value).toBe('DE 232 446 240')
})

test('currencies are recognised by code and symbol, and plain words are not currencies', () => {
  expect(findCurrencies('Total EUR 12.00')[0]).toMatchObject({ code: 'EUR', isCode: true })
  expect(findCurrencies('RM15.50')[0]).toMatchObject({ code: 'MYR', isCode: false })
  expect(findCurrencies('£3')[0]?.code).toBe('GBP')
  expect(findCurrencies('ALL TOP ITEMS')).toEqual([])
  expect(findCurrencies('BIC HELADEF1GEL')).toEqual([])
})

test.each(['export PATH=$HOME/bin', 'echo $(date)', 'fixes CVE-2024-1234', 'order SEK-20_17', 'the key NOK_12'])(
  'names and identifiers with the letters or signs of a currency are none: "%s"',
  (text) => expect(findCurrencies(text)).toEqual([]),
)

test.each([
  ['EUR-12.50', 'EUR'],
  ['$12', 'USD'],
  ['12 $US', 'USD'],
  ['Revenue in $bn', 'USD'],
  ['Price ($)', 'USD'],
  ['€/MWh', 'EUR'],
  ['USD-1,204.00', 'USD'],
])('a currency stays one beside marks and multiples: "%s"', (text, code) =>
  expect(findCurrencies(text).map((one) => one.code)).toEqual([code]),
)
