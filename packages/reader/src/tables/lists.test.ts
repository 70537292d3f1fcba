import { describe, expect, test } from 'vitest'
import { pagesOfCells, readItems, rowsAt } from './testing/placed-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const xs = [50, 150, 260, 360, 450]

const claims = [
  ['Motor', 'C-10442', 'Open', '1,204.50'],
  ['', 'C-10907', 'Closed', '88.10'],
  ['', 'C-11530', 'Open', '310.00'],
  ['Marine', 'C-10118', 'Closed', '9,400.75'],
  ['', 'C-12004', 'Closed', '610.20'],
]
const ofClaims = { class_of_business: text, claim_number: text, status: text, paid: number }

describe('groups that are named once', () => {
  const classesOf = async (rows: readonly (readonly string[])[]) => {
    const pdf = await pagesOfCells([rowsAt([['Class of business', 'Claim no.', 'Status', 'Paid'], ...rows], 80, xs)])
    const { items, evidence } = await readItems(pdf, ofClaims)
    return { classes: (items as { class_of_business: string | null }[]).map((row) => row.class_of_business), evidence }
  }

  test('are repeated in the rows that have all else, with the place where they stand', async () => {
    const { classes, evidence } = await classesOf(claims)
    expect(classes).toEqual(['Motor', 'Motor', 'Motor', 'Marine', 'Marine'])
    const [named, repeated] = [evidence['/items/0/class_of_business'], evidence['/items/2/class_of_business']]
    expect(repeated).toMatchObject({ quote: 'Motor', status: 'derived', bbox: named?.bbox })
    expect(repeated?.note).toContain('The value of the row above also applies to this row.')
  })

  test('are not repeated in another table that lacks their column', async () => {
    const more = [
      ['Claim no.', 'Status', 'Paid'],
      ['C-20001', 'Open', '55.00'],
      ['C-20002', 'Closed', '71.30'],
      ['C-20003', 'Open', '12.80'],
    ]
    const first = rowsAt([['Class of business', 'Claim no.', 'Status', 'Paid'], ...claims], 80, xs)
    const pdf = await pagesOfCells([first, rowsAt(more, 80, xs.slice(1))])
    const { items } = await readItems(pdf, ofClaims)
    const classes = (items as { class_of_business: string | null }[]).map((row) => row.class_of_business)
    expect(classes.slice(5)).toEqual([null, null, null])
  })

  test('are not columns with the same value in some rows', async () => {
    const { classes } = await classesOf(
      claims.map(([name, ...row]) => [name === 'Marine' ? 'Motor' : (name ?? ''), ...row]),
    )
    expect(classes).toEqual(['Motor', null, null, 'Motor', null])
  })
})

describe('sums of a list', () => {
  const containers = [
    ['BMLU 402771', 'KD1882', '24,310', '52.44'],
    ['BMLU 402904', 'KD1883', '22,975', '49.87'],
  ]
  const ofContainers = { container_number: text, seal: text, weight_kg: number, volume_m3: number }
  const rowsOf = async (rows: readonly (readonly string[])[]) => {
    const pdf = await pagesOfCells([rowsAt([['Container', 'Seal', 'Weight kg', 'Volume m3'], ...rows], 80, xs)])
    const { items } = await readItems(pdf, ofContainers)
    return (items as { container_number: string | null }[]).map((row) => row.container_number)
  }

  test('whose name goes on are no rows between others', async () => {
    const rows = [
      ...containers,
      ['Subtotal berth 3', '', '47,285', '102.31'],
      ['TCLU 118820', 'KD1884', '9,120', '31.05'],
    ]
    expect(await rowsOf(rows)).toEqual(['BMLU 402771', 'BMLU 402904', 'TCLU 118820'])
  })
})

describe('sections of a list', () => {
  test('with a sum of their own are all read', async () => {
    const rows = [
      ['Pos', 'Description', 'Qty', 'Unit price', 'Total'],
      ['A. Kitchen'],
      ['A.1', 'Socket outlet, white', '12', '18.00', '216.00'],
      ['A.2', 'LED panel 60 cm', '4', '22.50', '90.00'],
      ['A.3', 'Dimmer', '2', '41.00', '82.00'],
      ['', 'Subtotal Kitchen', '', '', '388.00'],
      ['B. Garage'],
      ['B.1', 'Wallbox 11 kW', '1', '890.00', '890.00'],
      ['B.2', 'Earth rod', '2', '35.00', '70.00'],
      ['B.3', 'Cable 5x6', '18', '4.20', '75.60'],
      ['', 'Subtotal Garage', '', '', '1035.60'],
      ['', 'Grand total', '', '', '1423.60'],
    ]
    const pdf = await pagesOfCells([rowsAt(rows, 80, [50, 100, 300, 360, 450])])
    const { items } = await readItems(pdf, { description: text, quantity: number, amount: number })
    expect((items as { amount: number }[]).map((row) => row.amount)).toEqual([216, 90, 82, 890, 70, 75.6])
  })

  test.each([
    ['under headings of their own', ['Date;Description;Amount']],
    ['without headings', []],
  ])('of a CSV file are all read behind a blank line, %s', async (_where, headings) => {
    const lines = [
      ...['Date;Description;Amount', '2026-01-01;Rent;500', '2026-01-02;Water;20', ';Subtotal;520', ''],
      ...[...headings, '2026-02-01;Rent;500', '2026-02-02;Power;80', '', 'Printed on 1 March 2026'],
    ]
    const fields = { date: { type: 'string' }, description: text, amount: number }
    const { items } = await readItems({ text: lines.join('\n') }, fields, 'accounts.csv')
    expect((items as object[]).map((row) => Object.values(row))).toEqual([
      ['2026-01-01', 'Rent', 500],
      ['2026-01-02', 'Water', 20],
      ['2026-02-01', 'Rent', 500],
      ['2026-02-02', 'Power', 80],
    ])
  })
})

describe('rows with centred cells', () => {
  test('have the lines above their figures as those below', async () => {
    const works = [
      { lines: ['Removal of old window frames', 'and disposal of rubble'], quantity: '14', price: '31.20' },
      { lines: ['Painting of walls'], quantity: '60', price: '4.15' },
      { lines: ['Laying of tiles along the wall', 'on the north side'], quantity: '22', price: '48.90' },
      {
        lines: ['Protection of floors in rooms', 'surrounding staircases with', 'boards and sheets'],
        quantity: '3',
        price: '95.00',
      },
    ]
    let y = 96
    const cells = works.flatMap(({ lines, quantity, price }, at) => {
      const middle = y + (lines.length - 1) * 5.5
      const own = lines.map((line, of) => [100, y + of * 11, line] as const)
      y += lines.length * 11 + 3
      return [
        [50, middle, `${at + 1}`] as const,
        ...own,
        [330, middle, quantity] as const,
        [420, middle, price] as const,
      ]
    })
    const head = rowsAt([['Pos.', 'Description', 'Quantity', 'Unit price']], 80, [50, 100, 330, 420])
    const { items } = await readItems(await pagesOfCells([[...head, ...cells]]), {
      description: text,
      quantity: number,
      unit_price: number,
    })
    expect((items as { description: string }[]).map((row) => row.description)).toEqual(
      works.map(({ lines }) => lines.join(' ')),
    )
  })
})
