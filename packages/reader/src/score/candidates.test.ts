import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { readByRules } from '../extract/read-by-rules.ts'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { candidatesOf } from './candidates.ts'
import { featureNames } from './features.ts'

type Lines = readonly (readonly (readonly [x: number, text: string])[])[]

/** The scored candidates of each field on a page with these texts at these places. */
async function scoredOn(lines: Lines, fields: JsonObject, most?: number) {
  const bytes = await madePdf((pdf) => {
    for (const [row, texts] of lines.entries()) {
      if (row > 0 && row % 40 === 0) pdf.addPage()
      for (const [x, text] of texts) pdf.text(text, x, 60 + (row % 40) * 16, { lineBreak: false })
    }
  })
  const schema = { type: 'object', properties: fields }
  const documents = [{ input: 'page', document: await readDocument({ bytes }) }]
  const { sheet, fields: planned, single, withdrawn, ofLists } = readByRules({ documents, values: {}, schema }, schema)
  const found = candidatesOf(sheet, planned.single, { found: single, withdrawn, ofLists }, most)
  return new Map(found.map((scored) => [scored.field.pointer.slice(1), scored]))
}

/** The candidates of each field. */
async function candidatesOn(...asked: Parameters<typeof scoredOn>) {
  return new Map([...(await scoredOn(...asked))].map(([name, { candidates }]) => [name, candidates]))
}

async function valuesOf(lines: readonly string[], field: string, schema: JsonObject): Promise<Json[]> {
  const found = await candidatesOn(
    lines.map((line) => [[60, line]]),
    { [field]: schema },
  )
  return (found.get(field) ?? []).map(({ value }) => value)
}

const string = { type: ['string', 'null'] }
const date = { ...string, format: 'date' }
const number = { type: ['number', 'null'] }
const dated = 'Letter of 12 January 2026'

test.each([
  ['approved_by', 'Approved by Mme Géraldine Huppertz, Économat', 'Géraldine Huppertz'],
  ['authorised_officer', 'Colm Ó Dálaigh, Oifigeach / Authorised Officer', 'Colm Ó Dálaigh'],
  ['part_name', 'Part Name Spool, pilot', 'Spool, pilot'],
  ['deferment_account', 'The duties are drawn on 16 June 2026 from account 590344 of your agent, as agreed.', '590344'],
  ['batch', 'Code 571, Batch 4-092', '4-092'],
  ['codice_fiscale', 'Codice fiscale: BNCCHR13P54A271Q', 'BNCCHR13P54A271Q'],
  ['model', 'Model Chaleur 1800', 'Chaleur 1800'],
  ['employee_name', 'Employee Dilip Chauhan Clock no. C 415', 'Dilip Chauhan'],
  [
    'contact',
    'All notices shall be marked for the attention of Mrs Adaeze Colbourne, Commercial Director, at once.',
    'Adaeze Colbourne',
  ],
  [
    'property_address',
    'Property address 605 Stonecrop Lane, Rogers Mill, TN 37857. Parcel 22.',
    '605 Stonecrop Lane, Rogers Mill, TN 37857',
  ],
])('the value of %s in "%s" is a candidate', async (field, line, value) => {
  expect(await valuesOf([dated, line], field, string)).toContain(value)
})

test.each([
  ['serial_no', 'Serial no. 0 4 11 A 2 7 7 3 6', string, '0411A27736'],
  ['model', 'Model T M - 4 5 0 S', string, 'TM-450S'],
  ['surname', 'Surname W I N D R A D Y N E', string, 'WINDRADYNE'],
  ['price_paid', 'Price paid $ 1 2 4 9 5', number, 12495],
  ['purchase_date', 'Date of purchase 2 4 1 2 2 0 0 4', date, '2004-12-24'],
  ['purchase_date', 'Date of purchase 2 0 0 4 1 2 2 4', date, '2004-12-24'],
  ['inspection_date', 'Inspection 2025 10 07', date, '2025-10-07'],
  ['date', 'Receipt 25032018', date, '2018-03-25'],
  ['inspection_date', 'Inspection 27 10 2025', date, '2025-10-27'],
])('the value of %s in boxes, "%s", is a candidate', async (field, line, schema, value) => {
  expect(await valuesOf([dated, line], field, schema)).toContain(value)
})

test('short words, and figures of a longer number, are no characters in boxes', async () => {
  expect(await valuesOf([dated, 'So it is up to us to do it by 5 pm'], 'remarks', string)).not.toContainEqual(
    expect.stringMatching(/Soit|uptous/),
  )
  for (const line of ['Name . . . . Smith', 'Signed _ _ _ _ _', 'Rating 0 1 2 3 4 5'])
    expect(await valuesOf([dated, line], 'remarks', string), line).not.toContainEqual(
      expect.stringMatching(/^[._]{3}|012345/),
    )
  for (const line of ['Call 0049 27 10 2025 11', 'Room 12: 27 10 2025'])
    expect(await valuesOf([dated, line], 'call_date', date), line).not.toContain('2025-10-27')
})

test('an IBAN with wrong check digits is a candidate as it is printed', async () => {
  expect(await valuesOf([dated, 'IBAN DE00 2409 0000 0044 1772 00, BIC NHVNFIHH'], 'iban', string)).toEqual([
    'DE00240900000044177200',
  ])
  for (const line of ['IBAN DE00 2409 0000 0044 1772', 'ORDER NO 1234567890123'])
    expect(await valuesOf([dated, line], 'iban', string), line).toEqual([])
})

test('a text goes on in the line below', async () => {
  const lines = ['The lender of the project is Northgate', 'Infrastructure Bank, which pays in May.']
  expect(await valuesOf(lines, 'lender', string)).toContain('Northgate Infrastructure Bank')
})

const clause = [
  'This agreement is made between Harrow, Pike and Partners LLC and Bright Orchards Limited of the State of',
  'New Mexico. It was signed for Bright Orchards by Ms. Ayesha Kotwal, Director, on the third day of',
  'March, 2025. Unless one of them ends it before that, it lasts for two (2)',
  'years from that day, and the price is 4.5 million dollars.',
]

test.each([
  ['partner_name', string, 'Bright Orchards Limited'],
  ['state', string, 'New Mexico'],
  ['signatory', string, 'Ayesha Kotwal'],
  ['term', string, 'two (2) years'],
  ['response_time', string, 'two (2) years'],
  ['signed_on', date, '2025-03-03'],
  ['price', number, 4_500_000],
])('%s of running text is a candidate, also over the end of a line', async (field, schema, value) => {
  expect(await valuesOf([dated, ...clause], field, schema)).toContain(value)
})

test('words and headings around running text count over the ends of its lines', async () => {
  const lines = [
    '7. Governing Law. Whatever arises from this agreement is governed by the governing law',
    'Oregon, and by no other. Each of the parties accepts that rule, and Jupiter Holdings is the',
    'seller of all goods.',
  ]
  const scored = await scoredOn(
    lines.map((line) => [[60, line]]),
    { governing_law: string, seller: string },
  )
  const featureOf = (field: string, value: string, feature: string): number => {
    const { candidates, rows } = scored.get(field) ?? { candidates: [], rows: [] }
    return rows[candidates.findIndex((one) => one.value === value)]?.[featureNames.indexOf(feature)] ?? Number.NaN
  }
  const ofLaw = (feature: string) => featureOf('governing_law', 'Oregon', feature)
  expect(ofLaw('prefix.name')).toBe(0)
  expect(ofLaw('front.name')).toBeGreaterThan(0.3)
  expect(ofLaw('topic.name')).toBeGreaterThan(0.9)
  expect(ofLaw('isRunning')).toBe(1)
  const ofSeller = (feature: string) => featureOf('seller', 'Jupiter Holdings', feature)
  expect(ofSeller('suffix.name')).toBe(0)
  expect(ofSeller('behind.name')).toBeGreaterThan(0.3)
})

test.each([{ format: 'time' }, { description: 'As HH:MM' }])('no span of time is cut to a time: %o', async (asked) => {
  const lines = ['Letter of 12 January 2026', 'The response time of the supplier is 30 days from receipt of the claim.']
  expect(await valuesOf(lines, 'response_time', { ...string, ...asked })).toEqual([])
})

test('texts are not taken apart where no label of the field is beside them', async () => {
  const line = 'Carriage and handling, two cartons, paid'
  expect(await valuesOf([line], 'vessel_name', string)).not.toContain('two cartons')
})

test('a date goes on in the next line or cell if its year has four digits, and may lack its year', async () => {
  expect(
    await valuesOf(
      [dated, 'The loan starts at once and ends on 10', 'October 2027. It may be renewed.'],
      'loan_end',
      date,
    ),
  ).toContain('2027-10-10')
  expect(await valuesOf([dated, 'Please reply by 13 June to the board.'], 'reply_by', date)).toContain('2026-06-13')
  const beside: Lines = [
    [[60, dated]],
    [
      [60, 'Payment due 5 May'],
      [300, '24.50'],
    ],
  ]
  const due = (await candidatesOn(beside, { payment_due: date })).get('payment_due')?.map(({ value }) => value)
  expect(due).toContain('2026-05-05')
  expect(due).not.toContain('2024-05-05')
})

test('a number with a minus is a candidate with and without it', async () => {
  const values = await valuesOf([dated, 'Adjustment of last year: -250.00'], 'adjustment', number)
  expect(values).toEqual(expect.arrayContaining([-250, 250]))
})

test('a number whose first figures may be those of a box is a candidate with and without them', async () => {
  const values = await valuesOf(
    ['Dietas y gastos de viaje: 10 684,30', 'Ingresos: 21 684 312,50'],
    'gastos_de_viaje',
    number,
  )
  expect(values).toEqual(expect.arrayContaining([10684.3, 684.3, 21684312.5]))
  expect(values).not.toContain(312.5)
})

test.each([
  ['The notice is six weeks, in May thirty-five days', [6, 35]],
  ['Die Frist beträgt fünfundzwanzig Tage', [25]],
  ['Un délai de vingt-quatre heures, puis quinze jours', [24, 15]],
  ['Un plazo de treinta y cinco días y veintiséis más, once', [35, 26]],
  ['entro ventotto giorni, ventidue, ventitré, the balance due', [28, 22, 23]],
  ['binnen achtentwintig dagen, tweeëntwintig of zes', [28, 22, 6]],
  ['no prazo de quarenta e cinco dias', [45]],
])('a whole number in words is a candidate: %s', async (line, numbers) => {
  expect(await valuesOf([line], 'notice_days', { type: ['integer', 'null'] })).toEqual(numbers)
})

test('a text that may be a time of day or something else is a candidate', async () => {
  expect(await valuesOf(['Arrival 14h30, weight 12.50 kg'], 'arrival_time', string)).toEqual(['14:30'])
})

test('a share with its sign may be more than 100', async () => {
  const line = 'Overtime is paid at 125% of the wage, after 130 hours'
  expect(await valuesOf([line], 'overtime_percent', number)).toEqual([125])
})

test('evidence of a part is its own words', async () => {
  const found = await candidatesOn([[[60, 'Driver W. Hoke Route 7']]], { driver: string })
  const part = found.get('driver')?.find(({ value }) => value === 'W. Hoke')
  expect(part?.words.map(({ word }) => word.text)).toEqual(['W.', 'Hoke'])
})

test('parts leave room for the candidates of later pages', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `Seller Anna Brown ${at}, Phone (private), Director at Jena, seen`,
  )
  const found = await candidatesOn(
    lines.map((line) => [[60, line]]),
    { seller_name: string },
    2_000,
  )
  const pages = new Set(found.get('seller_name')?.map(({ cell }) => cell.line.page.page.index))
  expect(pages.size).toBe(5)
})
