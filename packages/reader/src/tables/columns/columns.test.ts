import { isJsonObject } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { read } from '../../reader.ts'
import { pagesOfCells, readItems, rowsAt } from '../testing/placed-cells.ts'
import { likeliestPairs, rivalFeatureNames, rivalFeatures } from './column-score.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

describe('the columns of a list', () => {
  test('are found under headings that name no field, by their contents and by the columns beside them', async () => {
    const xs = [50, 110, 260, 330, 430]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Ente', 'Ayuntamiento', 'Sede', 'Lungolago', 'Oggi'],
          ['Pos.', 'Corridore', 'Cat.', 'Sodalizio', 'Tempo'],
          ['1', 'MANCINI Stefano', 'SF40', 'Runners Lecco', '02:14:06'],
          ['2', 'RICCI Chiara', 'SF45', 'Atletica Bergamo', '02:14:08'],
          ['3', 'GRECO Andrea', 'SM50', 'Podistica Arona', '02:14:09'],
          ['4', 'FERRARI Laura', 'SF45', 'Avis Pavia', '02:14:11'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, {
      position: { type: 'integer' },
      athlete: text,
      category: text,
      club: text,
      finish_time: text,
    })
    expect(items).toHaveLength(4)
    expect((items as unknown[])[1]).toEqual({
      position: 2,
      athlete: 'RICCI Chiara',
      category: 'SF45',
      club: 'Atletica Bergamo',
      finish_time: '02:14:08',
    })
  })

  test('are those of the headings, whatever text stands above them in the same columns', async () => {
    const xs = [50, 170, 290, 410]
    const pdf = await pagesOfCells([
      [
        ...rowsAt([['Worker', 'Agnieszka Borowska', 'Hirer', 'Dunmore Ltd']], 80, xs),
        ...rowsAt(
          [
            ['Giornata', 'Entrata', 'Uscita', 'Ore svolte'],
            ['1 Sep 2025', '06:00', '14:00', '7.50'],
            ['2 Sep 2025', '06:00', '14:15', '7.75'],
            ['3 Sep 2025', '06:30', '16:30', '9.75'],
          ],
          96,
          xs,
        ),
      ],
    ])
    const date = { type: 'string', format: 'date' }
    const { items } = await readItems(pdf, { work_date: date, start_time: text, end_time: text, hours_worked: number })
    expect(items).toEqual([
      { work_date: '2025-09-01', start_time: '06:00', end_time: '14:00', hours_worked: 7.5 },
      { work_date: '2025-09-02', start_time: '06:00', end_time: '14:15', hours_worked: 7.75 },
      { work_date: '2025-09-03', start_time: '06:30', end_time: '16:30', hours_worked: 9.75 },
    ])
  })

  test('a row may have nothing but the date that all rows begin with', async () => {
    const xs = [50, 170, 290, 410]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Date', 'Start', 'Finish', 'Hours'],
          ['05.07.2024', '06:00', '14:00', '7.50'],
          ['06.07.2024', '', '', ''],
          ['07.07.2024', '', '', ''],
          ['08.07.2024', '06:30', '16:30', '9.75'],
        ],
        80,
        xs,
      ),
    ])
    const date = { type: 'string', format: 'date' }
    const { items } = await readItems(pdf, { date, start_time: text, end_time: text, hours: number })
    expect((items as { date: string }[]).map((row) => row.date)).toEqual([
      '2024-07-05',
      '2024-07-06',
      '2024-07-07',
      '2024-07-08',
    ])
  })

  test('what has fewer figures than the rows above is no row below the last of them', async () => {
    const xs = [50, 250, 330, 420]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Description', 'Qty', 'Price', 'Amount'],
          ['Slate tile', '3', '4.50', '13.50'],
          ['Copper nail', '20', '0.10', '2.00'],
          ['Lead sheet', '2', '31.00', '62.00'],
          ['Deposit returned', '', '', '12.00'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, { description: text, qty: number, price: number, amount: number })
    expect((items as { description: string }[]).map((row) => row.description)).toEqual([
      'Slate tile',
      'Copper nail',
      'Lead sheet',
    ])
  })

  test('a day with a time stays a text where no date is asked for, and a percentage keeps its sign', async () => {
    const xs = [50, 200, 350]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Timestamp', 'Location', 'Duty rate'],
          ['03/04/2025 09:03', 'Ontario', '8.7%'],
          ['03/04/2025 11:03', 'Louisville', 'Free'],
          ['03/05/2025 16:48', 'Memphis', '1.1%'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, { timestamp: text, location: text, duty_rate: text })
    expect((items as unknown[])[0]).toEqual({
      timestamp: '03/04/2025 09:03',
      location: 'Ontario',
      duty_rate: '8.7%',
    })
    expect((items as { duty_rate: string }[]).map((row) => row.duty_rate)).toEqual(['8.7%', 'Free', '1.1%'])
  })

  test('a value is less likely under a heading that may mean something else', async () => {
    const confidenceUnder = async (heading: string): Promise<number> => {
      const pdf = await pagesOfCells([
        rowsAt(
          [
            ['Réf.', 'Désignation', heading],
            ['BLC-14-39', 'Bloc béton creux', '480.50'],
            ['CIM-32-25', 'Ciment sac 25 kg', '60.25'],
            ['SAB-RHN-B', 'Sable du Rhin', '4.75'],
          ],
          80,
          [50, 170, 320],
        ),
      ])
      const { items, evidence } = await readItems(pdf, { sku: text, ordered: number })
      expect((items as { ordered: number }[]).map((row) => row.ordered)).toEqual([480.5, 60.25, 4.75])
      return evidence['/items/0/ordered']?.confidence ?? 0
    }
    expect(await confidenceUnder('Reste')).toBeLessThan(await confidenceUnder('Ordered'))
  })

  test('numbers that count the rows are no quantities', async () => {
    const xs = [50, 110, 320]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Qty', 'Description', 'Amount'],
          ['10', 'Office chair', '142.25'],
          ['20', 'Laminating pouches', '41.98'],
          ['30', 'Cardboard box', '54.00'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, { description: text, quantity: number, amount: number })
    expect((items as { quantity: null }[]).map((row) => row.quantity)).toEqual([null, null, null])
  })
})

describe('the cells of a list', () => {
  test('are given as printed where they are masked, or a time with seconds that no format was named for', async () => {
    const xs = [50, 200, 330]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Name', 'Id number', 'Finish time'],
          ['Diaz Vidal, Pilar', '***7503**', '2:14:06'],
          ['Romero Lopez, Maria', '***6675**', '2:14:08'],
          ['Gil Sanchez, Ana', '*6925**R', '2:14:09'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, { name: text, id_number: text, finish_time: text })
    expect((items as unknown[])[0]).toEqual({
      name: 'Diaz Vidal, Pilar',
      id_number: '***7503**',
      finish_time: '2:14:06',
    })
  })

  test('have the decimal mark that another number of their column shows', async () => {
    const xs = [50, 180, 280, 400]
    const pdf = await pagesOfCells([
      rowsAt(
        [
          ['Pieza', 'Cantidad', 'Precio', 'Masa kg'],
          ['Junta radial', '12', '14,50', '11.611'],
          ['Tornillo largo', '26', '3,25', '11.126'],
          ['Arandela plana', '38', '0,75', '0.215'],
        ],
        80,
        xs,
      ),
    ])
    const { items } = await readItems(pdf, { part: text, quantity: number, price: number, mass_kg: number })
    expect((items as { price: number; mass_kg: number }[]).map(({ price, mass_kg }) => [price, mass_kg])).toEqual([
      [14.5, 11.611],
      [3.25, 11.126],
      [0.75, 0.215],
    ])
  })
})

describe('two lists whose tables have like columns', () => {
  const row = { asset_id: text, description: text, date: { type: ['string', 'null'], format: 'date' }, amount: number }
  const list = { type: 'array', items: { type: 'object', properties: row } }
  const head = ['Asset', 'Description', 'Date', 'Amount']
  const bought = [
    ['FA-5439', 'Conveyor', '02/17/2024', '643.50'],
    ['FA-4451', 'Lathe', '04/23/2024', '551.45'],
    ['FA-2345', 'Compressor', '01/27/2024', '734.96'],
  ]
  const sold = [
    ['FA-8899', 'Forklift', '10/19/2024', '594.85'],
    ['FA-7943', 'Press brake', '02/23/2024', '291.87'],
    ['FA-0395', 'Server rack', '06/13/2024', '159.92'],
  ]
  const xs = [50, 150, 290, 400]

  test('take the rows below the titles that name them', async () => {
    const pdf = await pagesOfCells([
      [
        [50, 60, 'A. Additions'],
        ...rowsAt([head, ...bought], 80, xs),
        [50, 160, 'B. Disposals'],
        ...rowsAt([head, ...sold], 180, xs),
      ],
    ])
    const { response } = await read(pdf, {
      schema: { type: 'object', properties: { additions: list, disposals: list } },
    })
    const idsOf = (name: string) =>
      isJsonObject(response) ? (response[name] as { asset_id: string }[]).map((one) => one.asset_id) : []
    expect(idsOf('additions')).toEqual(bought.map(([id]) => id))
    expect(idsOf('disposals')).toEqual(sold.map(([id]) => id))
  })
})

describe('the choice of columns', () => {
  test('takes the likeliest pairs first, each column and each field once', () => {
    const pairs = likeliestPairs(
      [
        [0.9, 0.8],
        [0.7, 0.6],
        [0.1, 0.2],
      ],
      0.3,
    )
    expect(pairs).toEqual([
      { at: 0, of: 0, probability: 0.9 },
      { at: 1, of: 1, probability: 0.6 },
    ])
  })

  test('knows of a column whether it stands between two that are taken, in the order of the fields', () => {
    const alone = [
      [0.9, 0, 0],
      [0, 0.2, 0],
      [0, 0, 0.9],
    ]
    const none = alone.map((row) => row.map(() => new Float32Array(0)))
    const features = rivalFeatures(none, alone)
    const own = rivalFeatureNames.slice(-12)
    const middle = Object.fromEntries(own.map((name, at) => [name, features[1]?.[1]?.[at]]))
    expect(middle).toMatchObject({ 'column.free': 1, 'field.free': 1, 'columns.free': 1, beside: 2, 'in.order': 1 })
  })
})
