import { expect, test } from 'vitest'
import { layoutPage } from '../layout/layout.ts'
import type { Page, Word } from '../media/document.ts'
import { conventionsOf } from './conventions.ts'
import { readNamedDays } from './parsed-values.ts'

/** A page of US Letter paper with one line of text for each entry. */
function letterPage(lines: readonly string[]): Page {
  const [width, height] = [612, 792]
  const words = lines.flatMap((line, row) => {
    let x = 40
    return line.split(' ').map((text): Word => {
      const box = [x / width, (40 + row * 16) / height, (text.length * 5) / width, 10 / height] as const
      x += text.length * 5 + 3
      return { text, box, confidence: 1 }
    })
  })
  return { index: 0, width, height, source: 'text-layer', words, turnedDegrees: 0 }
}

const conventionsIn = (lines: readonly string[]) => conventionsOf([layoutPage(letterPage(lines), 0)]).conventions

const german = ['Wir haben die Prüfung mit Ihnen und der Werkstatt', 'für das Gerät von uns abgeschlossen.']

test('only English pages on US paper put the month first', () => {
  const dated = 'Datum 07.05.2026'
  expect(conventionsIn([...german, dated]).dates).toEqual({ order: 'day-first', sure: true })
  const english = ['We have completed the test of the device with you', 'Date 07/05/2026']
  expect(conventionsIn(english).dates).toEqual({ order: 'month-first', sure: true })
  expect(conventionsIn([...english, 'Previous test 31/12/2025']).dates.order).toBe('day-first')
})

test('the day of a document is the first date of the year that most of its dates have', () => {
  const lines = [...german, 'geboren am 03.04.1961', 'Jena, den 12. Mai 2026', 'Termin am 2. Juni 2026']
  expect(conventionsIn(lines).day).toEqual({ year: 2026, month: 5, day: 12 })
  expect(conventionsIn(german).day).toBeNull()
})

test('of two years with as many dates, the day is of the later one', () => {
  expect(conventionsIn([...german, 'gegründet am 01.01.1990', 'Jena, den 12.05.2026']).day?.year).toBe(2026)
})

test('days without a year need a dated document', () => {
  expect(readNamedDays('bis zum 6. März', conventionsIn(german))).toEqual([])
  const dated = conventionsIn([...german, 'Jena, den 12. Dezember 2026'])
  expect(readNamedDays('bis zum 6. März', dated)).toMatchObject([{ value: '2027-03-06', derived: true }])
})
