import { expect, test } from 'vitest'
import { gridPage } from '../media/text/grid.ts'
import { wordsOfText } from '../media/text/plain.ts'
import { layoutPage } from './layout.ts'
import { numberingOf } from './numbering.ts'

const numbered = (text: string): string[] =>
  layoutPage(gridPage(wordsOfText(text)), 0).lines.flatMap(({ cells }) =>
    cells.filter((cell) => numberingOf(cell) > 0).map((cell) => cell.text.slice(0, numberingOf(cell)).trim()),
  )

test('numbers that follow one another, by sections too, are a numbering', () => {
  expect(numbered('1. Name     2. Date\n3. Port\n\n4. Flag')).toEqual(['1.', '2.', '3.', '4.'])
  expect(numbered('1.1 Ship\n1.2 IMO\n2. Port\n2.1 Berth\n3a) Crew')).toEqual(['1.1', '1.2', '2.', '2.1', '3a)'])
})

test('amounts and dates are none', () => {
  expect(numbered('1 adult\n2 children\n3 nights\n4 towels\n7 % tax')).toEqual([])
  expect(numbered('1. Mai\n2. Juni\n3. Juli')).toEqual([])
})
