import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'

const text = { type: ['string', 'null'] }
const amount = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }

const schema: JsonSchema = {
  type: 'object',
  properties: {
    bank_name: text,
    period_start: date,
    period_end: date,
    opening_balance: amount,
    closing_balance: amount,
    transactions: {
      type: 'array',
      items: { type: 'object', properties: { date, description: text, amount, balance: amount } },
    },
  },
}

const read = (page: string, wanted = schema) => fieldsOf(page, wanted)

const movements = (page: string): Json[][] => {
  const rows = read(page)['transactions']
  return Array.isArray(rows)
    ? rows.map((row) => (isJsonObject(row) ? ['date', 'description', 'amount'].map((name) => row[name] ?? null) : []))
    : []
}

describe('account statements', () => {
  it('take the year of a movement from the period, and exclude balances from the movements', () => {
    const page = `Meadow Bank plc
Statement period: 01/12/2025 to 31/01/2026

Date     Description            Paid out    Paid in     Balance
01/12    Opening balance                                 100.00
28/12    Rent                      60.00                  40.00
03/01    Salary                               200.00     240.00
31/01    Closing balance                                 240.00
`
    expect(movements(page)).toEqual([
      ['2025-12-28', 'Rent', -60],
      ['2026-01-03', 'Salary', 200],
    ])
    expect(read(page)).toMatchObject({ period_start: '2025-12-01', period_end: '2026-01-31' })
  })

  it('copy the date above to rows without one', () => {
    const page = `Meadow Bank plc
Period: 1 March to 31 March 2026

Date        Description            Amount      Balance
02/03       Rent                   -60.00        40.00
            Phone                  -10.00        30.00
05/03       Salary                 200.00       230.00
`
    expect(movements(page).map(([day]) => day)).toEqual(['2026-03-02', '2026-03-02', '2026-03-05'])
  })

  it("use dates that are headings of a day's movements", () => {
    const page = `Meadow Bank plc
Period: 1 March to 31 March 2026

Description              Amount      Balance
2 March 2026
Rent                     -60.00        40.00
Phone                    -10.00        30.00
5 March 2026
Salary                   200.00       230.00
`
    expect(movements(page)).toEqual([
      ['2026-03-02', 'Rent', -60],
      ['2026-03-02', 'Phone', -10],
      ['2026-03-05', 'Salary', 200],
    ])
  })

  it('derive balance and sides from the rows when the headings are unknown', () => {
    const page = `Meadow Bank plc
Period: 1 March to 31 March 2026

Date        Description            Quux        Corge       Grault
02/03       Rent                    60.00                    40.00
03/03       Phone                   10.00                    30.00
05/03       Salary                             200.00       230.00
06/03       Gift                                20.00       250.00
`
    expect(movements(page).map((row) => row[2])).toEqual([-60, -10, 200, 20])
  })

  it('take the sign from the title of a table with one side only', () => {
    const page = `Meadow Bank plc
Period: 1 March to 31 March 2026

Deposits

Date        Description            Amount
05/03       Salary                 200.00
06/03       Gift                    20.00

Withdrawals

Date        Description            Amount
02/03       Rent                    60.00
03/03       Phone                   10.00
`
    expect(movements(page).map((row) => row[2])).toEqual([200, 20, -60, -10])
  })

  it('exclude text beside the table from its rows', () => {
    const page = `Meadow Bank plc

                             Date          Description          Amount
Account number               02/03/2026    Rent                 -60.00
12345678
Statement period             03/03/2026    Phone                -10.00
01/03/2026 - 31/03/2026      05/03/2026    Salary               200.00
                             06/03/2026    Gift                  20.00
Opening balance
100.00                       07/03/2026    Coffee                -3.00
`
    expect(movements(page).map((row) => row[0])).toEqual([
      '2026-03-02',
      '2026-03-03',
      '2026-03-05',
      '2026-03-06',
      '2026-03-07',
    ])
    expect(read(page)['opening_balance']).toBe(100)
  })
})

describe('item tables', () => {
  const items: JsonSchema = {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { description: text, quantity: amount, unit_price: amount, amount },
        },
      },
    },
  }

  it('are read under unknown headings when quantity × price is the amount', () => {
    const page = `Meadow Farm

Description            Flarp      Grunt      Snoo
Hammer                     2      10.00     20.00
Saw                        3      15.50     46.50
Nails                    100       0.05      5.00
`
    expect(read(page, items)['items']).toEqual([
      { description: 'Hammer', quantity: 2, unit_price: 10, amount: 20 },
      { description: 'Saw', quantity: 3, unit_price: 15.5, amount: 46.5 },
      { description: 'Nails', quantity: 100, unit_price: 0.05, amount: 5 },
    ])
  })
})
