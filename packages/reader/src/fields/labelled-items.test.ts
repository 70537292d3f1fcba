import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { madeWord } from '../media/testing/made-office.ts'
import { read, type Source } from '../reader.ts'

const list = (item: { [key: string]: Json } = { type: 'string' }) => ({ type: 'array', items: item })

/** The answer, and the pointers of its values with the reason why a person has to look at them. */
async function answered(source: Source, properties: { [key: string]: Json }) {
  const { response, evidence } = await read(source, { schema: { type: 'object', properties } })
  const doubts = Object.entries(evidence).flatMap(([pointer, { note }]) => (note ? [[pointer, note]] : []))
  return { response, doubts: Object.fromEntries(doubts), evidence }
}

const ofCommas = 'The text was divided at its commas and words such as "and", which may be part of an item.'
const ofLines = 'Each line or column of the text was taken for an item.'

describe('a list of values', () => {
  test.each([
    ['semicolons', 'Members: Ann Lee; Bob Ray; Carl Unger'],
    ['bullets', 'Members:\n- Ann Lee\n- Bob Ray\n- Carl Unger\n\nDate: 2024-05-03'],
    ['numbers', 'Members\n1. Ann Lee\n2. Bob Ray\n3. Carl Unger\n'],
    ['ticked boxes', 'Members: ☒ Ann Lee ☐ Dora Moss ☒ Bob Ray ☒ Carl Unger'],
    ['a box in each line', 'Members\n[x] Ann Lee\n[ ] Dora Moss\n[x] Bob Ray\n[x] Carl Unger\n'],
  ])('is read from %s behind its name, without a doubt', async (_, text) => {
    const { response, doubts } = await answered({ text: `REPORT\n\nStatus: approved\n${text}` }, { members: list() })
    expect(response).toEqual({ members: ['Ann Lee', 'Bob Ray', 'Carl Unger'] })
    expect(doubts).toEqual({})
  })

  test.each([
    ['commas', 'Members: Ann Lee, Bob Ray and Carl Unger', ofCommas],
    ['lines', 'Members:\nAnn Lee\nBob Ray\nCarl Unger\nStatus: approved', ofLines],
    ['lines beside its name', 'Members:    Ann Lee\n            Bob Ray\n            Carl Unger', ofLines],
    ['columns beside its name', 'Members:     Ann Lee      Bob Ray      Carl Unger', ofLines],
    ['a text that wraps', 'Members:    Ann Lee, Bob Ray,\n            Carl Unger\nStatus: approved', ofCommas],
    [
      'two places',
      'Members: Ann Lee; Bob Ray; Carl Unger\n\nMembers: Ann Lee; Dora Moss',
      'The documents have another list with this label.',
    ],
  ])('that is read from %s is marked: it may end or be divided elsewhere', async (_, text, doubt) => {
    const { response, doubts } = await answered({ text: `REPORT\n\nStatus: approved\n${text}` }, { members: list() })
    expect(response).toEqual({ members: ['Ann Lee', 'Bob Ray', 'Carl Unger'] })
    expect(doubts).toEqual({ '/members/0': doubt, '/members/1': doubt, '/members/2': doubt })
  })

  test('behind words that mean its name is marked', async () => {
    const { response, doubts } = await answered({ text: 'Teilnehmer: Ann Lee; Bob Ray' }, { attendees: list() })
    const doubt = 'The label is like the name of the list, but another.'
    expect(response).toEqual({ attendees: ['Ann Lee', 'Bob Ray'] })
    expect(doubts).toEqual({ '/attendees/0': doubt, '/attendees/1': doubt })
  })

  test('of numbers, dates or choices needs no look at its commas and lines', async () => {
    const text = 'Scores: 3, 5, 8\nVisits:\n2024-05-03\n2024-06-01\n\nConditions: Gout, asthma'
    const { response, doubts } = await answered(
      { text },
      {
        scores: list({ type: 'integer' }),
        visits: list({ type: 'string', format: 'date' }),
        conditions: list({ type: 'string', enum: ['asthma', 'diabetes', 'gout'] }),
      },
    )
    expect(response).toEqual({
      scores: [3, 5, 8],
      visits: ['2024-05-03', '2024-06-01'],
      conditions: ['gout', 'asthma'],
    })
    expect(doubts).toEqual({})
  })

  test('is marked where a part is no value that its schema allows', async () => {
    const schema = { conditions: list({ type: 'string', enum: ['asthma', 'gout'] }) }
    const { response, doubts } = await answered({ text: 'Conditions: gout; migraine' }, schema)
    expect(response).toEqual({ conditions: ['gout'] })
    expect(doubts).toEqual({ '/conditions/0': '"migraine" beside it is no value of this list.' })
  })

  test('is empty where the document says so: that is found, with the words as evidence', async () => {
    const schema = { type: 'object', properties: { allergies: list(), krankheiten: list(), seats: list() } }
    const text = 'Name: Ann\nAllergies: none\nKrankheiten: keine\nSeats   none\nRows    2'
    const { response, evidence, completeness } = await read({ text }, { schema })
    expect(response).toEqual({ allergies: [], krankheiten: [], seats: [] })
    expect(evidence['/allergies']).toMatchObject({ status: 'verified', page: 0, quote: 'none', span: [21, 25] })
    expect(evidence['/krankheiten']).toMatchObject({ status: 'verified', quote: 'keine' })
    expect(evidence['/seats']).toMatchObject({ status: 'unsupported' })
    expect(completeness).toMatchObject({ asked: 3, found: 2, notFound: 1 })
  })

  test('is not divided within brackets, and an indented line belongs to the bullet above it', async () => {
    const text =
      'Parts: frame (steel, grey), lamp\n\nRisks\n- fire in the hall, which may\n  spread\n- flood\n\nSigned by: Ann'
    const { response } = await answered({ text }, { parts: list(), risks: list() })
    expect(response).toEqual({
      parts: ['frame (steel, grey)', 'lamp'],
      risks: ['fire in the hall, which may spread', 'flood'],
    })
  })

  test('gives its items to no other field', async () => {
    const { response } = await answered(
      { text: 'REPORT\n\nPart numbers: AB-7701\nStatus: approved' },
      {
        part_numbers: list(),
        reference: { type: 'string' },
      },
    )
    expect(response).toEqual({ part_numbers: ['AB-7701'] })
    const schema = { type: 'object', properties: { customers: list(), vendor_name: { type: 'string' } } }
    const byRules = await read({ text: 'Customers\n- Acme Ltd\n- Other GmbH' }, { schema, maxWrongRate: null })
    expect(byRules.response).toEqual({ customers: ['Acme Ltd', 'Other GmbH'] })
  })

  test('is the column below a heading, not the headings beside it', async () => {
    const rows = 'AB-1      red        Ann\nAB-2      blue       Bob\nAB-3      green      Carl'
    const { response, doubts } = await answered(
      { text: `Serial    Colour     Owner\n${rows}\n\nSigned` },
      { serial: list() },
    )
    const doubt = 'The text was taken for a column with this heading.'
    expect(response).toEqual({ serial: ['AB-1', 'AB-2', 'AB-3'] })
    expect(doubts).toEqual({ '/serial/0': doubt, '/serial/1': doubt, '/serial/2': doubt })
  })

  test('without a colon behind its label is marked, and no single text beside it, which may be a heading', async () => {
    const text = 'Members   Ann Lee; Bob Ray\nStatus    approved\nColour    Size\nred       10'
    const { response, doubts } = await answered({ text }, { members: list(), colour: list() })
    const doubt = 'Its label may be the heading of a column.'
    expect(response).toEqual({ members: ['Ann Lee', 'Bob Ray'], colour: [] })
    expect(doubts).toEqual({ '/members/0': doubt, '/members/1': doubt })
  })

  test('ends where another label begins', async () => {
    const text = 'Members:    Ann Lee; Bob Ray\n            Chair: Carl Moss'
    expect((await answered({ text }, { members: list() })).response).toEqual({ members: ['Ann Lee', 'Bob Ray'] })
  })

  test('has no sentence that is cut off, and one text alone is marked', async () => {
    const text =
      'Notices: you may consider this release for up to\n\nDefinitions: The term means all of it.\nRemarks: none of it'
    const { response, doubts } = await answered({ text }, { notices: list(), remarks: list() })
    expect(response).toEqual({ notices: [], remarks: ['none of it'] })
    expect(doubts).toEqual({ '/remarks/0': 'One text was taken for the only item.' })
  })

  test('is read from paragraphs of a Word file, whose lines are further apart', async () => {
    const file = await madeWord(['Order numbers:', 'KX-7988', 'KX-4230', 'ZT-9806', 'Reference: Q-5521'])
    const { response } = await answered(file, { order_numbers: list(), reference: { type: 'string' } })
    expect(response).toEqual({ order_numbers: ['KX-7988', 'KX-4230', 'ZT-9806'], reference: 'Q-5521' })
  })

  const code = fc
    .tuple(fc.constantFrom('AB', 'KX', 'ZT'), fc.integer({ min: 1000, max: 9999 }))
    .map((all) => all.join('-'))
  const forms: readonly ((items: readonly string[]) => string)[] = [
    (items) => `Part numbers: ${items.join(', ')}`,
    (items) => `Part numbers: ${items.join('; ')}`,
    (items) => `Part numbers:\n${items.map((item) => `- ${item}`).join('\n')}`,
    (items) => `Part numbers:\n${items.map((item, at) => `${at + 1}) ${item}`).join('\n')}`,
    (items) => `Part numbers:\n${items.join('\n')}`,
  ]
  test('of codes is whole and in order in each of these forms, wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(code, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(...forms),
        fc.shuffledSubarray(['Company: Nordwind Ltd', 'Status: approved', 'Location: Hall 4']),
        fc.shuffledSubarray(['Prepared by: Hana Moss', 'Date: 2024-05-03'], { minLength: 1 }),
        async (items, form, before, after) => {
          const text = ['REPORT', '', ...before, form(items), '', ...after].join('\n')
          const { response, doubts } = await answered({ text }, { part_numbers: list() })
          expect({ response, doubts }).toEqual({ response: { part_numbers: items }, doubts: {} })
        },
      ),
      { numRuns: 60 },
    )
  })
})
