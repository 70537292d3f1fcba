import type { Json } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { shortfallsIn, shortfallWarnings } from '../../src/checks/missing-rows.ts'
import { layoutDocument } from '../../src/layout/layout.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { randomOf, statementOf } from './made-statement.ts'

const seeds = Array.from({ length: 200 }, (_, at) => at + 1)
const pagesOf = async (text: string, declared?: 'table') =>
  layoutDocument(await readDocument({ text, ...(declared && { declared }) }), 0)
const shortfallsOf = async (text: string, answer: Json, declared?: 'table') => {
  const pages = await pagesOf(text, declared)
  return shortfallsIn(answer, () => pages)
}

/** What is said of a complete answer, and of one without a row that the seed chooses. */
async function tryOut(seed: number, count: number) {
  const { text, items } = statementOf(seed, count)
  const pages = await pagesOf(text)
  const dropped = Math.floor(randomOf(seed + 5_000)() * count)
  return {
    alarms: shortfallsIn({ transactions: [...items] }, () => pages),
    caught: shortfallsIn({ transactions: items.toSpliced(dropped, 1) }, () => pages),
  }
}

describe('shortfallsIn', () => {
  test('finds the one row of 1,000 that an answer lacks, and nothing in a complete one', async () => {
    for (const seed of seeds.slice(0, 6)) {
      const { alarms, caught } = await tryOut(seed, 1000)
      expect([seed, alarms, caught.map(({ path, returned, expected }) => [path, returned, expected])]).toEqual([
        seed,
        [],
        [['/transactions', 999, 1000]],
      ])
    }
  })

  test('finds a dropped row in at least 99 % of 200 statements of random forms, with at most 1 % false alarms', async () => {
    const count = { caught: 0, alarms: 0 }
    for (const seed of seeds) {
      const { alarms, caught } = await tryOut(seed, 60)
      if (caught[0]?.expected === 60) count.caught += 1
      if (alarms.length > 0) count.alarms += 1
    }
    expect(count.caught).toBeGreaterThanOrEqual(198)
    expect(count.alarms).toBeLessThanOrEqual(2)
  })

  const { text, items } = statementOf(3, 200)

  test('finds an answer that breaks off, and one that begins late', async () => {
    const early = await shortfallsOf(text, { rows: items.slice(0, 50) })
    expect(early).toMatchObject([{ path: '/rows', returned: 50, expected: 200 }])
    const late = await shortfallsOf(text, { rows: items.slice(40) })
    expect(late).toMatchObject([{ returned: 160, expected: 200 }])
  })

  test('takes many rows that are left out here and there for a choice', async () => {
    const some = items.filter((_, at) => at % 3 === 0)
    expect(await shortfallsOf(text, { rows: some })).toEqual([])
  })

  test('counts the rows of several lists together: debits and credits of one table', async () => {
    const sides = Object.groupBy(items, ({ amount }) => (Number(amount) < 0 ? 'debits' : 'credits'))
    const { debits = [], credits = [] } = sides
    expect(await shortfallsOf(text, { debits, credits })).toEqual([])
    const short = await shortfallsOf(text, { debits: debits.toSpliced(20, 1), credits })
    expect(short).toHaveLength(1)
    expect(short[0]?.missing).toHaveLength(1)
  })

  test('holds for rows as arrays, in any order, and for one column only', async () => {
    const rows = items.map(({ date = null, description = null, amount = null }) => [date, description, amount])
    expect(await shortfallsOf(text, { rows: rows.toReversed() })).toEqual([])
    expect(await shortfallsOf(text, { rows: rows.toReversed().toSpliced(17, 1) })).toMatchObject([{ expected: 200 }])
  })

  test('of two equal rows of a document the answer needs two', async () => {
    const twin =
      'Tea          2.50\nTea          2.50\nMilk         1.20\nBread        3.10\nTea          2.50\nJam          4.40'
    const all = ['Tea', 'Tea', 'Milk', 'Bread', 'Tea', 'Jam'].map((name, at) => ({
      name,
      price: [2.5, 2.5, 1.2, 3.1, 2.5, 4.4][at] ?? 0,
    }))
    expect(await shortfallsOf(twin, { items: all })).toEqual([])
    expect(await shortfallsOf(twin, { items: all.toSpliced(1, 1) })).toMatchObject([{ returned: 5, expected: 6 }])
  })

  test('an item that says a row again does not stand for one that is missing', async () => {
    const lines = [
      'Item      Price',
      'Tea        2.50',
      'Milk       1.20',
      'Bread      3.10',
      'Jam        4.40',
      'Rice       5.40',
    ]
    const [tea, milk, bread, jam, rice] = [
      ['Tea', 2.5],
      ['Milk', 1.2],
      ['Bread', 3.1],
      ['Jam', 4.4],
      ['Rice', 5.4],
    ]
    const all = [tea, milk, bread, jam, rice] as Json[]
    expect(await shortfallsOf(lines.join('\n'), { items: all })).toEqual([])
    for (const items of [
      [tea, milk, milk, jam, rice],
      [tea, milk, jam, rice, tea],
    ] as Json[][]) {
      const [found] = await shortfallsOf(lines.join('\n'), { items })
      expect(found).toMatchObject({ returned: 5, repeated: 1, expected: 5 })
      expect(shortfallWarnings(found ? [found] : [])[0]?.message).toBe(
        'The list has 5 rows (1 repeated), but the input shows 5 of this form. Not in the answer: "Bread 3.10" on page 1.',
      )
    }
  })

  test('any row of a CSV file is missed: with empty cells, with texts alone, the first and the last', async () => {
    const names = ['Ana', 'Bo', 'Carl', 'Dora', 'Emil', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon']
    const cities = ['Rome', 'Paris', 'Oslo']
    const tables: Record<string, Json>[][] = [
      names.map((name, at) => ({ name, city: cities[at % 3] ?? null })),
      names.map((name, at) => ({
        name,
        city: at % 3 > 0 ? 'Rome' : null,
        amount: at % 3 === 0 || at % 2 > 0 ? 10 + at : null,
      })),
    ]
    for (const rows of tables) {
      const head = Object.keys(rows[1] ?? {})
      const csv = [head.join(','), ...rows.map((row) => head.map((key) => row[key] ?? '').join(',')), '', 'Made by Kim']
      expect(await shortfallsOf(csv.join('\n'), { rows }, 'table')).toEqual([])
      for (const at of rows.keys()) {
        const [found] = await shortfallsOf(csv.join('\n'), { rows: rows.toSpliced(at, 1) }, 'table')
        expect([at, found?.expected, found?.missing.map((line) => line.cells[0]?.text)]).toEqual([at, 10, [names[at]]])
      }
    }
  })

  test('says nothing of a list that is not a table of the documents', async () => {
    const prose =
      'The parties agree on 3 points.\nThe first is the price of 12.50.\nThe second is the date.\nThe third is open.'
    expect(await shortfallsOf(prose, { points: ['price', 'date', 'open'], names: ['a', 'b', 'c'] })).toEqual([])
  })

  test('warns with the rows that are missing, quoted, and the page', async () => {
    const lines = [
      'Item         Price',
      'Tea           2.50',
      'Milk          1.20',
      'Bread         3.10',
      'Jam           4.40',
    ]
    const answer = {
      items: [
        { name: 'Tea', price: 2.5 },
        { name: 'Milk', price: 1.2 },
        { name: 'Jam', price: 4.4 },
      ],
    }
    expect(shortfallWarnings(await shortfallsOf(lines.join('\n'), answer))).toEqual([
      {
        code: 'list_incomplete',
        path: '/items',
        message: 'The list has 3 rows, but the input shows 4 of this form. Not in the answer: "Bread 3.10" on page 1.',
      },
    ])
  })
})
