import type { JsonSchema } from '@skillrun/core/json.ts'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'

const text = { type: ['string', 'null'] }
const amount = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }

const schema: JsonSchema = {
  type: 'object',
  properties: {
    bank_name: text,
    opening_balance: amount,
    closing_balance: amount,
    total_debits: amount,
    transactions: {
      type: 'array',
      items: { type: 'object', properties: { date, description: text, amount, balance: amount } },
    },
  },
}

const read = (page: string, wanted = schema) => fieldsOf(page, wanted)

const rows = `
Date          Description               Amount       Balance
01.03.2024    Rent Miller               -100.00        900.00
05.03.2024    Salary Harbour Ltd         500.00      1,400.00
09.03.2024    Card purchase              -50.00      1,350.00
`

describe('balances and sums of a statement, from its rows', () => {
  it('takes the amounts that the rows require, whatever their labels', () => {
    const answer = read(
      `Harbour Bank plc\n\nIn hand at the outset      1,000.00\n${rows}\nIn hand now    1,350.00\nGone    150.00\n`,
    )
    expect(answer['opening_balance']).toBe(1000)
    expect(answer['closing_balance']).toBe(1350)
    expect(answer['total_debits']).toBe(150)
  })

  it('does not take adjacent labels above their amounts for column headings', () => {
    const sums =
      'Beginning balance    Total received    Total spent    Closing bal.\n1,000.00             500.00            150.00         1,350.00'
    const answer = read(`Harbour Bank plc\n\n${sums}\n${rows}`)
    expect([answer['opening_balance'], answer['closing_balance'], answer['total_debits']]).toEqual([1000, 1350, 150])
    expect(answer['transactions']).toHaveLength(3)
  })

  it('does not read an account number from a page number', () => {
    const numbered = {
      type: 'object',
      properties: { bank_name: text, closing_balance: amount, statement_number: text },
    }
    expect(read(`Harbour Bank plc\nSheet 1 of 2\n${rows}`, numbered)['statement_number']).toBeNull()
    expect(read(`Harbour Bank plc\nStatement no. 17\n${rows}`, numbered)['statement_number']).toBe('17')
  })

  it('leaves a sum empty that is not printed', () => {
    expect(read(`Harbour Bank plc\n\nOpening balance    1,000.00\n${rows}`)['total_debits']).toBeNull()
  })

  it('withdraws a balance that contradicts the running balances', () => {
    expect(read(`Harbour Bank plc\n\nOpening balance    1,234.00\n${rows}`)['opening_balance']).toBeNull()
  })
})
