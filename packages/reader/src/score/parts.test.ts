import { expect, test } from 'vitest'
import { bordersOf, partsFrom, titlesAt } from './parts.ts'

const partsOf = (text: string, most = 1): string[] => {
  const { starts, ends } = bordersOf(text)
  return starts.flatMap((start) => partsFrom(start, ends, most).map((part) => text.slice(part.start, part.end).trim()))
}

test('a text is parted at commas, brackets, bars, dashes, colons and ends of sentences', () => {
  expect(partsOf('Colm Ó Dálaigh, Oifigeach Údaraithe / Authorised Officer')).toContain('Colm Ó Dálaigh')
  expect(partsOf('Hendrik Baumgarten (Schriftführer)')).toContain('Hendrik Baumgarten')
  expect(partsOf('RFC: MIA0806179K4 · Régimen: 601')).toContain('MIA0806179K4')
  expect(partsOf('Route TPML - Wytheville - OVX')).toContain('Wytheville')
  expect(partsOf('received from Councillor Thomas Iveson. The meeting was quorate.')).toContain(
    'received from Councillor Thomas Iveson',
  )
})

test('marks inside of numbers, codes and abbreviations part nothing', () => {
  for (const text of ['EN-GJS-400', '1.098.644.117', '08:15', 'ARC-PO 77120/02.03.2026', 'Dr. med. vet', 'J. Priego'])
    expect(partsOf(text), text).toEqual([text])
})

test('an address may pass several borders', () => {
  const text = 'Ostrava Baltech s.r.o., Průmyslová 1442, 739 21 Paskov, Czech Republic'
  expect(partsOf(text, 4)).toContain('Průmyslová 1442, 739 21 Paskov, Czech Republic')
})

test.each([
  ['Mme Géraldine Huppertz', 'Géraldine Huppertz'],
  ['Dr. med. Franziska Weidlich', 'Franziska Weidlich'],
  ['Rechtsanwältin Melike Aydın', 'Rechtsanwältin Melike Aydın'],
  ['Doña Pilar Ascaso Monreal', 'Pilar Ascaso Monreal'],
  ['DOÑA PILAR ASCASO MONREAL', 'PILAR ASCASO MONREAL'],
  ['de heer W.J. van Ooijen', 'W.J. van Ooijen'],
  ['Herr Timo Asbach', 'Timo Asbach'],
  ['Herrmann Asbach', 'Herrmann Asbach'],
  ['MASTER FOODS GMBH', 'MASTER FOODS GMBH'],
  ['Professor Nenad Obradović', 'Nenad Obradović'],
  ['Mrs', 'Mrs'],
])('behind its titles, "%s" is "%s"', (text, name) => {
  expect(text.slice(titlesAt(text))).toBe(name)
})

test('a hostile text has no more parts than any other', () => {
  for (const text of ['a, '.repeat(100_000), `x${','.repeat(100_000)}x`, `x${'\u00a0'.repeat(100_000)}x`]) {
    const { starts, ends } = bordersOf(text)
    expect([starts.length, ends.length].every((length) => length < 100)).toBe(true)
  }
  expect(titlesAt('Mr '.repeat(100_000))).toBeLessThan(100)
})
