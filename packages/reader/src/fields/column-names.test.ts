import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read } from '../reader.ts'

const namesOf = {
  number:
    'amount total price unit_price quantity tax vat discount net gross net_amount gross_amount balance debit credit salary hours weight_kg length_mm score rating stock latitude share percent rate interest commission fee shipping cost margin budget actual variance distance_km area_m2 power_kw exchange_rate change opening_balance index level q1 q2',
  string:
    'name first_name city street zip status category notes reference order_no invoice_number sku product customer supplier department project model serial_number batch location tracking_number code id title priority address_2',
  integer: 'count units pages rooms position line qty items pieces boxes attempts',
  date: 'date order_date due_date birth_date start_date delivery_date valid_until',
} as const
type Kind = keyof typeof namesOf

const cellsOf: Readonly<Record<Kind, fc.Arbitrary<string | number>>> = {
  number: fc.integer({ min: -5_000_000, max: 5_000_000 }).map((cents) => cents / 100),
  string: fc
    .tuple(
      fc.constantFrom('Oak', 'Maple', 'KX', 'River'),
      fc.constantFrom(' Stone', '-', ' '),
      fc.integer({ min: 1000, max: 9999 }),
    )
    .map(([first, joint, number]) => (joint === ' Stone' ? `${first}${joint}` : `${first}${joint}${number}`)),
  integer: fc.integer({ min: 0, max: 300 }),
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
}

const column = fc
  .constantFrom(...(Object.keys(namesOf) as Kind[]))
  .chain((kind) => fc.constantFrom(...namesOf[kind].split(' ')).map((name) => ({ name, kind })))

const table = fc.uniqueArray(column, { minLength: 3, maxLength: 8, selector: ({ name }) => name }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(fc.tuple(...columns.map(({ kind }) => cellsOf[kind])), { minLength: 3, maxLength: 8 }),
  }),
)

const schemaOf = (kind: Kind) =>
  kind === 'date' ? { type: ['string', 'null'], format: 'date' } : { type: [kind, 'null'] }

/** Amounts that are given without a sign where all of their column have one. */
const unsigned = new Set(['debit', 'credit', 'discount', 'change'])

const wantedOf = (name: string, value: string | number, column: readonly (string | number)[]): string | number =>
  unsigned.has(name) && column.every((one) => Number(one) <= 0) ? Math.abs(Number(value)) : value

test('a CSV file whose headings are the names of the fields gives each value, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, rows }) => {
      const written = rows.map((row) =>
        row.map((value, at) => (columns[at]?.kind === 'number' ? Number(value).toFixed(2) : String(value))).join(','),
      )
      const text = `${columns.map(({ name }) => name).join(',')}\n${written.join('\n')}\n`
      const properties = Object.fromEntries(columns.map(({ name, kind }) => [name, schemaOf(kind)]))
      const schema = {
        type: 'object',
        properties: { rows: { type: 'array', items: { type: 'object', properties } } },
      }
      const { response } = await read({ text }, { schema, fileName: 'table.csv' })
      const wanted = rows.map((row) =>
        Object.fromEntries(
          columns.map(({ name }, at) => [
            name,
            wantedOf(
              name,
              row[at] ?? '',
              rows.map((one) => one[at] ?? ''),
            ),
          ]),
        ),
      )
      expect(response).toEqual({ rows: wanted })
    }),
    { numRuns: 60 },
  )
})
