import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '../../../../test/support/documents.ts'
import { extract } from '../extract/extract.ts'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { madeExcel, madeOpenDocument } from '../media/testing/made-office.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-tables-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const text = { type: ['string', 'null'] }
const schema = {
  type: 'object',
  properties: {
    tables: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: text,
          headers: { type: 'array', items: text },
          rows: { type: 'array', items: { type: 'array', items: text } },
        },
      },
    },
  },
  required: ['tables'],
}

async function tablesIn(lines: readonly string[]) {
  const path = join(folder, 'table.txt')
  await writeFile(path, lines.join('\n'))
  const document = await readDocument({ path })
  return extract({ documents: [{ input: 'file', document }], values: {}, schema })
}

describe('tables without a schema', () => {
  test('have their headings, their rows, null for an empty cell, and evidence for each text', async () => {
    const { answer, evidence } = await tablesIn([
      'Opening hours are as follows.',
      '',
      'Stock of the boathouse',
      'Boat      Berth    Length   Crew',
      'Heron     14C      5.2 m    4',
      'Plover             3.9 m    2',
      'Avocet    2A       7.0 m    6',
    ])
    expect(answer).toEqual({
      tables: [
        {
          title: 'Stock of the boathouse',
          headers: ['Boat', 'Berth', 'Length', 'Crew'],
          rows: [
            ['Heron', '14C', '5.2 m', '4'],
            ['Plover', null, '3.9 m', '2'],
            ['Avocet', '2A', '7.0 m', '6'],
          ],
        },
      ],
    })
    expect(evidence['/tables/0/rows/0/1']).toMatchObject({ status: 'verified', quote: '14C', input: 'file', page: 0 })
    expect(evidence['/tables/0/headers/2']).toMatchObject({ quote: 'Length' })
    expect(evidence['/tables/0/rows/1/1']).toBeUndefined()
  })

  test('are neither labels with values nor prose', async () => {
    const none = await tablesIn(['Name:      Keller', 'Berth:     14C', 'Length:    5.2 m', '', 'It is a fine boat.'])
    expect(none.answer).toMatchObject({ tables: [] })
    const prose = await makePdf([['A boat is a thing.', 'It floats on water and', 'carries people.']])
    await writeFile(join(folder, 'prose.pdf'), prose)
    const document = await readDocument({ path: join(folder, 'prose.pdf') })
    const found = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    expect(found.answer).toMatchObject({ tables: [] })
  })

  const items = { type: 'array', items: text }
  const grid = { type: 'array', items }
  const ask = async (lines: readonly string[], properties: Record<string, Json>) => {
    const document = await readDocument({ text: lines.join('\n') })
    return extract({ documents: [{ input: 'file', document }], values: {}, schema: { type: 'object', properties } })
  }
  const years = [
    'Rainfall in mm',
    '                 2021     2022     2023',
    'Spring            120      131       98',
    'Summer             40       22       61',
    'Autumn            155      149      170',
    'Total             315      302      329',
  ]

  test('have years as headings, and an empty heading over the names', async () => {
    const parts = { title: text, columns: items, rows: grid }
    const { answer } = await ask(years, { tables: { type: 'array', items: { type: 'object', properties: parts } } })
    expect(answer).toEqual({
      tables: [
        {
          title: 'Rainfall in mm',
          columns: ['', '2021', '2022', '2023'],
          rows: [
            ['Spring', '120', '131', '98'],
            ['Summer', '40', '22', '61'],
            ['Autumn', '155', '149', '170'],
            ['Total', '315', '302', '329'],
          ],
        },
      ],
    })
  })

  const head = [null, '2021', '2022', '2023']
  const spring = ['Spring', '120', '131', '98']
  test.each([
    ['rows', { rows: grid }, { rows: [head, spring] }, '/rows/1/2'],
    ['lists of rows', { tables: { type: 'array', items: grid } }, { tables: [[head, spring]] }, '/tables/0/1/2'],
    [
      'rows that are objects with cells',
      {
        tables: {
          type: 'array',
          items: {
            type: 'object',
            properties: { lines: { type: 'array', items: { type: 'object', properties: { cells: items } } } },
          },
        },
      },
      { tables: [{ lines: [{ cells: head }, { cells: spring }] }] },
      '/tables/0/lines/1/cells/2',
    ],
  ])('without columns in the schema have their headings as first row: %s', async (_, properties, wanted, pointer) => {
    const { answer, evidence } = await ask(years, properties)
    expect(JSON.stringify(answer).startsWith(JSON.stringify(wanted).replace(/[\]}]+$/, ''))).toBe(true)
    expect(evidence[pointer]).toMatchObject({ quote: '131' })
  })

  test('have headings that span columns in the names of these where they would be equal', async () => {
    const parts = { columns: items, rows: grid }
    const { answer } = await ask(
      [
        '                  Boats              Crews',
        '              2021     2022      2021     2022',
        'Heron           14       15         4        5',
        'Plover           3        9         2        2',
        'Avocet           7        7         6        8',
      ],
      { tables: { type: 'array', items: { type: 'object', properties: parts } } },
    )
    expect(answer).toMatchObject({
      tables: [{ columns: ['', 'Boats 2021', 'Boats 2022', 'Crews 2021', 'Crews 2022'], rows: { length: 3 } }],
    })
  })

  test('go on over pages, with headings repeated or not, and evidence on the right page', async () => {
    const row = (at: number) => `${`Berth ${at}`.padEnd(13)}${`${at * 7}.50`.padEnd(11)}${at * 3}`
    const pages = [
      ['Stock of the harbour', 'Berth        Price      Boats', ...[1, 2, 3, 4].map(row)],
      ['Berth        Price      Boats', ...[5, 6, 7].map(row)],
      [...[8, 9, 10].map(row)],
    ]
    const bytes = await makePdf(pages, { font: 'Courier' } as PDFKit.PDFDocumentOptions)
    const document = await readDocument({ bytes })
    const { answer, evidence } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    const { tables } = answer as { tables: { headers: string[]; rows: string[][] }[] }
    expect(tables).toHaveLength(1)
    expect(tables[0]?.headers).toEqual(['Berth', 'Price', 'Boats'])
    expect(tables[0]?.rows.map(([name]) => name)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => `Berth ${at}`))
    expect(evidence['/tables/0/rows/9/1']).toMatchObject({ quote: '70.50', page: 2 })
  })

  test('of two on a page are two', async () => {
    const { answer } = await tablesIn([
      ...years,
      '',
      '',
      '',
      '',
      'A paragraph about the harbour, its boats and all its crews.',
      '',
      ...years,
    ])
    expect(answer).toMatchObject({ tables: [{ rows: { length: 4 } }, { rows: { length: 4 } }] })
  })

  const cellsOf = (answer: Json): Json =>
    (answer as { tables: { headers: Json[]; rows: Json[][] }[] }).tables.flatMap(({ headers, rows }) => [
      headers,
      ...rows,
    ])

  /** The items with some fields that a PDF gives. */
  async function itemsIn(bytes: Uint8Array, properties: JsonObject): Promise<unknown> {
    const document = await readDocument({ bytes })
    const items = { type: 'array', items: { type: 'object', properties } }
    const { answer } = extract({
      documents: [{ input: 'file', document }],
      values: {},
      schema: { type: 'object', properties: { items } },
    })
    return (answer as JsonObject)['items']
  }

  /** Cells of 150 by 40 points with rules around them, open at the right side of the table. */
  const ruled = (rows: readonly (readonly string[])[]) =>
    madePdf((pdf) => {
      const foot = 60 + rows.length * 40
      for (const [at, row] of rows.entries()) {
        pdf
          .moveTo(40, 60 + at * 40)
          .lineTo(490, 60 + at * 40)
          .stroke()
        for (const [column, text] of row.entries())
          pdf.fontSize(9).text(text, 44 + column * 150, 64 + at * 40, { width: 142 })
      }
      pdf.moveTo(40, foot).lineTo(490, foot).stroke()
      for (const x of [40, 190, 340]) pdf.moveTo(x, 60).lineTo(x, foot).stroke()
    })

  test('have cells of several lines of prose where rules enclose them', async () => {
    const rows = [
      ['Source', 'Definition', 'Examples'],
      [
        'Stationary',
        'Emissions of ten tons a year or more of any one pollutant',
        'Refineries, makers of steel and of chemicals',
      ],
      [
        'On the road',
        'Emissions of vehicles that usually drive on public roads',
        'Cars, buses, lorries and all other vehicles',
      ],
      [
        'Elsewhere',
        'Emissions of engines and vessels off the public roads',
        'Machines of builders and of farmers, boats',
      ],
    ]
    const document = await readDocument({ bytes: await ruled(rows) })
    const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    expect(cellsOf(answer)).toEqual(rows)
  })

  test('fill a list with unknown columns by their headings, also where values are wrapped in their cells', async () => {
    const rows = [
      ['Ferry', 'Leaves', 'Berth'],
      ['Heron of the northern line and its islands', '12 Jun 2027\n07:25', '14C'],
      ['Plover', '19 Jun 2027\n18:05', '11A'],
    ]
    expect(await itemsIn(await ruled(rows), { ferry: text, berth: text })).toEqual([
      { ferry: 'Heron of the northern line and its islands', berth: '14C' },
      { ferry: 'Plover', berth: '11A' },
    ])
  })

  test('have whole cells where rules enclose them, also under headings that the schema knows', async () => {
    const xs = [40, 70, 250, 360, 490]
    const pdf = await madePdf((page) => {
      page.fontSize(9)
      const put = (cells: readonly string[], y: number) => {
        for (const [column, cell] of cells.entries()) {
          const lines = cell.split('\n')
          for (const [line, part] of lines.entries())
            page.text(part, (xs[column] ?? 0) + 4, y + (3 - lines.length) * 5.5 + line * 11, { lineBreak: false })
        }
      }
      put(['No.', 'Action to take', 'Responsible', 'Due'], 62)
      put(['1', 'Sign the offer of the yard and\nask for the dates of the works', 'A. Lee', '31/03/2026'], 102)
      put(['2', 'Look at the light on pier A', 'B. Moor', '15/04/2026'], 142)
      put(['3', 'Remind the owner of berth 12\nof the boats left in\nthe shed', 'C. Quay', '10/04/2026'], 182)
      for (const y of [60, 100, 140, 180, 220]) page.moveTo(40, y).lineTo(490, y).stroke()
      for (const x of xs) page.moveTo(x, 60).lineTo(x, 220).stroke()
    })
    expect(await itemsIn(pdf, { action: text, responsible: text, due: { ...text, format: 'date' } })).toEqual([
      {
        action: 'Sign the offer of the yard and ask for the dates of the works',
        responsible: 'A. Lee',
        due: '2026-03-31',
      },
      { action: 'Look at the light on pier A', responsible: 'B. Moor', due: '2026-04-15' },
      {
        action: 'Remind the owner of berth 12 of the boats left in the shed',
        responsible: 'C. Quay',
        due: '2026-04-10',
      },
    ])
  })

  test('fill a list whose columns mean the same as their headings, in another language and without rules, but for their sum', async () => {
    const pdf = await madePdf((page) => {
      page.fontSize(9)
      const put = (cells: readonly string[], y: number) => {
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 130, y, { lineBreak: false })
      }
      put(['Locatie', 'Omschrijving', 'Besteld', 'Vertraging'], 60)
      put(['A-03-12', 'Tap with a long neck', '6', '3'], 78)
      put(['C-11-05', 'Shower drain of steel', '2', '4'], 96)
      put(['D-01-20', 'Seat that closes softly', '4', '6'], 114)
      put(['', 'Totaal stuks', '12', '13'], 132)
    })
    const number = { type: ['number', 'null'] }
    expect(await itemsIn(pdf, { place: text, description: text, ordered: number, delay: number })).toEqual([
      { place: 'A-03-12', description: 'Tap with a long neck', ordered: 6, delay: 3 },
      { place: 'C-11-05', description: 'Shower drain of steel', ordered: 2, delay: 4 },
      { place: 'D-01-20', description: 'Seat that closes softly', ordered: 4, delay: 6 },
    ])
  })

  test('fill a list whose columns have names as general as value and unit, without the headings between its rows', async () => {
    const pdf = await madePdf((page) => {
      page.fontSize(9)
      const put = (cells: readonly string[], y: number) => {
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 110, y, { lineBreak: false })
      }
      put(['Esame', 'Risultato', 'Unità', 'Valori di riferimento'], 60)
      put(['EMATOLOGIA'], 80)
      put(['Emoglobina', '12,9', 'g/dL', '12,0 - 16,0'], 100)
      put(['Piastrine', '248', '10³/µL', '150 - 400'], 120)
      put(['CHIMICA CLINICA'], 140)
      put(['Creatinina', '0,81', 'mg/dL', '0,50 - 0,95'], 160)
    })
    expect(await itemsIn(pdf, { test: text, value: { type: ['number', 'null'] }, unit: text })).toEqual([
      { test: 'Emoglobina', value: 12.9, unit: 'g/dL' },
      { test: 'Piastrine', value: 248, unit: '10³/µL' },
      { test: 'Creatinina', value: 0.81, unit: 'mg/dL' },
    ])
  })

  test('end before the sum of a column and what stands around it, and keep what is taken back negative', async () => {
    const pdf = await madePdf((page) => {
      page.fontSize(9)
      const put = (cells: readonly string[], y: number) => {
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 110, y, { lineBreak: false })
      }
      put(['Document', 'Dated', 'Gross', 'Paid'], 60)
      put(['INV-40418', '2026-03-03', '4,218.60', '4,134.23'], 78)
      put(['CN-0977', '2026-03-12', '-126.00', '-126.00'], 96)
      put(['INV-40502', '2026-03-18', '782.45', '782.45'], 114)
      put(['', '', '4,875.05', '4,790.68'], 132)
      put(['', '', '', '84.37'], 150)
    })
    const number = { type: ['number', 'null'] }
    expect(await itemsIn(pdf, { document: text, dated: text, gross: number, paid: number })).toEqual([
      { document: 'INV-40418', dated: '2026-03-03', gross: 4218.6, paid: 4134.23 },
      { document: 'CN-0977', dated: '2026-03-12', gross: -126, paid: -126 },
      { document: 'INV-40502', dated: '2026-03-18', gross: 782.45, paid: 782.45 },
    ])
  })

  /** A pick list: its headings, two rows within rules, and further rows from `y` on; rules enclose two rows below each of `tops`. `next` is alone on a second page. */
  const pickList = (
    further: readonly (readonly [y: number, cells: readonly string[]])[],
    tops: readonly number[],
    next: readonly string[] = [],
  ) =>
    madePdf((page) => {
      const xs = [40, 130, 250, 400, 490]
      page.fontSize(9)
      const rows: typeof further = [
        [46, ['Rack', 'Item', 'Description', 'Ordered']],
        [68, ['3', '210-4471', 'Tap with a long neck', '6']],
        [88, ['5', '388-0192', 'Shower drain of steel', '2']],
        ...further,
      ]
      for (const [y, cells] of rows)
        for (const [column, cell] of cells.entries()) page.text(cell, (xs[column] ?? 0) + 4, y, { lineBreak: false })
      for (const top of tops) {
        for (const y of [top, top + 20, top + 40]) page.moveTo(40, y).lineTo(490, y)
        for (const x of xs) page.moveTo(x, top).lineTo(x, top + 40)
        page.stroke()
      }
      if (next.length > 0) page.addPage().fontSize(9)
      for (const [column, cell] of next.entries()) page.text(cell, (xs[column] ?? 0) + 4, 60, { lineBreak: false })
    })
  const picked = { item_code: text, description: text, ordered: { type: ['number', 'null'] } }

  test('end where the rules end that enclose their rows', async () => {
    const below = [
      [112, ['Remark', 'of 388-0192 one', 'comes in week 27', '1']],
      [132, ['Picked by', 'Started', 'Ready', 'Packages']],
      [150, ['Rob Bruin', '16:05', '16:31', '3']],
    ] as const
    expect(await itemsIn(await pickList(below, [62]), picked)).toEqual([
      { item_code: '210-4471', description: 'Tap with a long neck', ordered: 6 },
      { item_code: '388-0192', description: 'Shower drain of steel', ordered: 2 },
    ])
  })

  test('go on on the next page only where their rules end near the foot of the page', async () => {
    const next = ['7', '410-1180', 'Hose of two metres', '4']
    const prose = (count: number) =>
      Array.from({ length: count }, (_, at) => [120 + at * 16, [`Sentence ${'abcdefgh'[at]} of the terms`]] as const)
    const itemsAbove = async (count: number) =>
      await itemsIn(await pickList(prose(count), [62], next), { ...picked, rack: { type: 'number' } })
    expect(await itemsAbove(1)).toHaveLength(3)
    expect(await itemsAbove(8)).toHaveLength(2)
  })

  test('go on in the next group of rows that rules enclose by the same columns', async () => {
    const group = [
      [118, ['7', '410-1180', 'Hose of two metres', '4']],
      [138, ['9', '412-7735', 'Valve with a filter', '8']],
    ] as const
    expect(await itemsIn(await pickList(group, [62, 112]), picked)).toMatchObject([
      { item_code: '210-4471' },
      { item_code: '388-0192' },
      { item_code: '410-1180' },
      { item_code: '412-7735', description: 'Valve with a filter', ordered: 8 },
    ])
  })

  test('are read row by row where rules enclose groups of rows only', async () => {
    const stacked = ['Boat\nHeron\nPlover', '2021\n14\n9', '2022\n17\n8']
    const document = await readDocument({ bytes: await ruled([stacked, ['Avocet\nSwan', '2\n5', '31\n6']]) })
    const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    expect(cellsOf(answer)).toContainEqual(['Plover', '9', '8'])
    expect(cellsOf(answer)).toContainEqual(['Swan', '5', '6'])
  })

  test('are named by a short block of lines above them, not by the end of a sentence', async () => {
    const rows = ['Kind      2021   2022', 'Heron       14     17', 'Plover       9      8', 'Swan         5      6']
    const wanted = {
      type: 'object',
      properties: {
        tables: {
          type: 'array',
          items: {
            type: 'object',
            properties: { title: text, rows: { type: 'array', items: { type: 'array', items: text } } },
          },
        },
      },
    }
    const titleUnder = async (above: string) => {
      const document = await readDocument({ text: `${above}\n${rows.join('\n')}` })
      const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema: wanted })
      return answer
    }
    const titled = (title: string | null) => ({ tables: [expect.objectContaining({ title })] })
    expect(await titleUnder('Table 3: Birds')).toEqual(titled('Table 3: Birds'))
    expect(await titleUnder('Table 3: Birds that were seen\nat the mouth of the river')).toEqual(
      titled('Table 3: Birds that were seen at the mouth of the river'),
    )
    expect(
      await titleUnder('The birds of the river were counted\nin spring. They were many, as\nthis table shows.'),
    ).toEqual(titled(null))
    expect(await titleUnder('make sure that both counts agree')).toEqual(titled(null))
  })

  test('are not found in prose with wide spaces', async () => {
    const prose = [
      'the licence   is granted   to the party   and its heirs',
      'for as long   as the term   of the work   has not ended',
      'unless one    of the two    gives notice  to the other',
    ]
    const document = await readDocument({ text: prose.join('\n') })
    const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    expect(cellsOf(answer)).toEqual([])
  })

  const goods = {
    North: [
      ['Item', 'Price'],
      ['Rope', 12.5],
      ['Anchor', 99],
      ['Sail', 410],
    ],
    South: [
      ['Item', 'Price'],
      ['Buoy', 20.25],
      ['Oar', 35],
      ['Tiller', 88],
    ],
  }

  test('of two sheets with the same columns are two, with the names of the sheets', async () => {
    const rows = { type: 'array', items: { type: 'array', items: text } }
    const document = await readDocument({ bytes: await madeExcel(goods) })
    const wanted = {
      type: 'object',
      properties: { tables: { type: 'array', items: { type: 'object', properties: { sheet: text, rows } } } },
    }
    const { answer, evidence } = extract({ documents: [{ input: 'file', document }], values: {}, schema: wanted })
    expect(answer).toEqual({
      tables: Object.entries(goods).map(([sheet, all]) => ({ sheet, rows: all.map((row) => row.map(String)) })),
    })
    expect(evidence['/tables/1/sheet']).toMatchObject({ page: 1, quote: 'South' })
  })

  test('give rows with the name of their sheet, from Excel and OpenDocument alike', async () => {
    const cell = (value: string | number) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`
    const sheets = Object.entries(goods).map(
      ([name, all]) =>
        `<table:table table:name="${name}">${all.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table>`,
    )
    const item = { type: 'object', properties: { sheet_name: text, item: text, price: { type: ['number', 'null'] } } }
    const wanted = { type: 'object', properties: { goods: { type: 'array', items: item } } }
    for (const bytes of [await madeExcel(goods), await madeOpenDocument('spreadsheet', sheets.join(''))]) {
      const document = await readDocument({ bytes })
      const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema: wanted })
      expect(answer).toEqual({
        goods: Object.entries(goods).flatMap(([name, [, ...all]]) =>
          all.map(([of, price]) => ({ sheet_name: name, item: of, price })),
        ),
      })
    }
  })
})
