import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { makePdf } from './support/documents.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

const modelId = 'svc-agent-1:fast'
const embedded = 'svc-agent-1:pro'
const usage = { inputTokens: 100, outputTokens: 10 }

const model = await opened(
  startMockModel({ script: (request) => ({ text: JSON.stringify(answerTo(request)), usage }) }),
)
const service = await opened(
  openTestService({
    file: { ...fileOfSmallModel(model.baseUrl), routes: { 'svc-agent-1:pro': 'embedded' } },
  }),
)

/** What the documents state, by field: how it is printed, and which statement of several counts. */
const facts = {
  lessor_name: { label: 'Lessor', counts: 'last', value: (n: number) => `Hollis ${n} Estates` },
  lease_code: { label: 'Lease code', counts: 'first', value: (n: number) => `LC-${4000 + n}` },
  handover_date: { label: 'Handover', counts: 'last', value: (n: number) => `2026-0${1 + (n % 9)}-1${n % 10}` },
  monthly_rent: { label: 'Monthly rent', counts: 'last', value: (n: number) => 700 + n },
  deposit_amount: { label: 'Deposit', counts: 'first', value: (n: number) => 1500 + n },
  notice_period: {
    label: 'Notice period',
    counts: 'last',
    value: (n: number) => `${n + 2} months to the end of a quarter`,
  },
  garage_number: { label: 'Garage', counts: 'first', value: (n: number) => `G${100 + n}` },
  caretaker: { label: 'Caretaker', counts: 'last', value: (n: number) => `Ms Quill ${n}` },
} as const
type Name = keyof typeof facts
const names = Object.keys(facts) as Name[]
const numbers: readonly string[] = ['monthly_rent', 'deposit_amount']

/** Answers the fields of the schema in the request from the lines of its documents. */
function answerTo({ text }: MockRequest): Json {
  const schema = JSON.parse(/JSON Schema:\n(\{.*\})/.exec(text)?.[1] ?? '{}') as { properties: Record<string, unknown> }
  return Object.fromEntries(
    Object.keys(schema.properties).map((name) => {
      if (!Object.hasOwn(facts, name)) return [name, []]
      const { label, counts } = facts[name as Name]
      const stated = [...text.matchAll(new RegExp(`^${label}: (.*)$`, 'gm'))].map(([, value = '']) => value.trim())
      const value = counts === 'last' ? stated.at(-1) : stated[0]
      return [name, value === undefined ? null : numbers.includes(name) ? Number(value) : value]
    }),
  )
}

const schemaOf = (fields: readonly Name[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map((name) => [name, { type: [numbers.includes(name) ? 'number' : 'string', 'null'] }]),
  ),
  required: [...fields],
  additionalProperties: false,
})
const config = (fields: readonly Name[], more = {}) => ({
  prompt: 'Read the lease',
  json_schema: schemaOf(fields),
  ...more,
})

/** A page: a paragraph about nothing that is asked, then facts. */
interface PageOf {
  readonly filler: number
  readonly states: readonly (readonly [name: Name, n: number])[]
}
const sentences = [
  'The roof was inspected in spring and found sound.',
  'Bicycles belong in the cellar and not in the hall.',
  'Snow is cleared by the residents in turn.',
  'The boiler was replaced and runs without complaint.',
  'Windows on the north side stick when it rains.',
]
/** Without digits, which might be the value of something. */
const digits = ['nil', 'ace', 'duo', 'trio', 'quad', 'penta', 'hexa', 'hepta', 'octa', 'ennea']
const spelled = (n: number): string => [...String(n)].map((digit) => digits[Number(digit)]).join('-')

const linesOf = ({ filler, states }: PageOf): string[] => [
  sentences[filler % sentences.length] ?? '',
  `The section ${spelled(filler)} of the house rules follows.`,
  ...states.map(([name, n]) => `${facts[name].label}: ${facts[name].value(n)}`),
]

const page: fc.Arbitrary<PageOf> = fc.record({
  filler: fc.nat(40),
  states: fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(60)), { maxLength: 2 }),
})
type Change = (pages: readonly PageOf[]) => readonly PageOf[]
const placed = (make: (at: number, page: PageOf) => (pages: readonly PageOf[]) => readonly PageOf[]) =>
  fc.tuple(fc.nat(), page).map(
    ([at, one]): Change =>
      (pages) =>
        make(at % Math.max(1, pages.length), one)(pages),
  )
const change: fc.Arbitrary<Change> = fc.oneof(
  placed(
    (at, { filler }) =>
      (pages) =>
        pages.map((one, place) => (place === at ? { ...one, filler } : one)),
  ),
  placed(
    (at, { states }) =>
      (pages) =>
        pages.map((one, place) => (place === at ? { ...one, states } : one)),
  ),
  placed((at, one) => (pages) => pages.toSpliced(at, 0, one)),
  placed((at) => (pages) => (pages.length > 1 ? pages.toSpliced(at, 1) : pages)),
  placed((at) => (pages) => [...pages.slice(at + 1), ...pages.slice(0, at + 1)]),
)
const asked = fc.shuffledSubarray(names, { minLength: 3, maxLength: 5 })

async function upload(pages: readonly PageOf[]): Promise<Json> {
  const file = await service.upload(await makePdf(pages.map(linesOf)), 'lease.pdf')
  return { lease: { type: 'input_file', file_id: file.id } }
}

const { execute } = service
const stepsOf = async (id: string): Promise<Answer['json'][]> =>
  (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json
const turnsOf = async (id: string) => (await stepsOf(id)).filter(({ kind }) => kind === 'model').length

const told = ({ status, response, evidence, completeness, warnings, error }: Answer['json']) => ({
  ...{ status, response, evidence, completeness, warnings, error },
})

describe('an execution with a base', () => {
  test.each([
    ['a language model', modelId],
    ['the embedded engine', embedded],
  ])(
    'answers as a full run does, with %s: pages changed, added, removed and moved, and fields added',
    async (_name, id) => {
      const cases = fc.sample(
        fc.record({
          pages: fc.array(page, { minLength: 2, maxLength: 6 }),
          changes: fc.array(change, { maxLength: 2 }),
          asked,
          more: fc.oneof(fc.constant<Name[]>([]), asked),
        }),
        { numRuns: id === modelId ? 170 : 60, seed: 2026 },
      )
      const compared = { cases: 0, withKept: 0, withoutTurn: 0 }
      const compareOne = async ({ pages, changes, asked: first, more }: (typeof cases)[number]): Promise<void> => {
        const base = await execute({ model: id, inputs: await upload(pages), config: config(first) }).catch(
          () => undefined,
        )
        if (base?.status !== 'completed') return
        const inputs = await upload(changes.reduce<readonly PageOf[]>((now, one) => one(now), pages))
        const fields = [...new Set([...first, ...more])]
        const delta = await execute({ model: id, inputs, config: config(fields, { base_execution: base.id }) })
        const full = await execute({ model: id, inputs, config: config(fields) })
        expect(told(delta), delta.usage.message).toEqual(told(full))
        compared.cases += 1
        if (delta.execution_modes !== null) compared.withKept += 1
        if ((await turnsOf(delta.id)) === 0) compared.withoutTurn += 1
      }
      const compareFrom = async (start: number): Promise<void> => {
        for (const one of cases.slice(start).filter((_case, at) => at % 4 === 0)) await compareOne(one)
      }
      await Promise.all([0, 1, 2, 3].map(compareFrom))
      // A document in which nothing is found gives no base.
      expect(compared.cases).toBeGreaterThanOrEqual(id === modelId ? 170 : 30)
      // Not vacuous: much is kept from a model's answers.
      if (id !== modelId) return
      expect(compared.withKept).toBeGreaterThan(80)
      expect(compared.withoutTurn).toBeGreaterThan(30)
    },
    600_000,
  )

  const lease: readonly PageOf[] = [
    {
      filler: 0,
      states: [
        ['lessor_name', 1],
        ['lease_code', 2],
      ],
    },
    { filler: 1, states: [] },
    { filler: 2, states: [['monthly_rent', 3]] },
  ]
  const fields: readonly Name[] = ['lessor_name', 'lease_code', 'monthly_rent']
  const withPage = (at: number, one: Partial<PageOf>): readonly PageOf[] =>
    lease.map((first, place) => (place === at ? { ...first, ...one } : first))
  const run = async (pages: readonly PageOf[], of: readonly Name[], more = {}, body = {}) =>
    execute({ model: modelId, inputs: await upload(pages), config: config(of, more), ...body })

  test('asks no model when the changed page says nothing about the fields', async () => {
    const base = await run(lease, fields)
    const before = model.requests.length
    const delta = await run(withPage(1, { filler: 4 }), fields, { base_execution: base.id })
    expect(model.requests, delta.usage.message).toHaveLength(before)
    expect(delta).toMatchObject({
      status: 'completed',
      base_execution: base.id,
      response: base.response,
      execution_modes: { '/lessor_name': 'kept', '/lease_code': 'kept', '/monthly_rent': 'kept' },
      usage: { cost_dollars: 0 },
    })
    expect(delta.usage.message).toContain('Kept 3 of 3 fields of the base execution; 1 page differs (3 before, 3 now)')
    const step = (await stepsOf(delta.id)).find(({ name }) => name === 'delta.compare')
    expect(step).toMatchObject({
      detail: { base_execution: base.id },
      result: { kept: ['/lessor_name', '/lease_code', '/monthly_rent'], asked: [] },
    })
  })

  test('asks only the fields whose page changed', async () => {
    const base = await run(lease, fields)
    const before = model.requests.length
    const delta = await run(withPage(2, { states: [['monthly_rent', 9]] }), fields, { base_execution: base.id })
    expect(delta).toMatchObject({
      response: { ...base.response, monthly_rent: 709 },
      execution_modes: { '/lessor_name': 'kept', '/lease_code': 'kept', '/monthly_rent': 'agent' },
    })
    expect(model.requests).toHaveLength(before + 1)
    expect(model.requests.at(-1)?.text).not.toContain('lessor_name')
  })

  test('asks a field that was not found again when an added page names it', async () => {
    const base = await run(lease, [...fields, 'caretaker'])
    expect(base.response.caretaker).toBeNull()
    const same = await run([...lease, { filler: 3, states: [] }], [...fields, 'caretaker'], { base_execution: base.id })
    expect(same.usage.message).toContain('1 page differs (3 before, 4 now)')
    expect(same.execution_modes['/caretaker']).toBe('kept')
    const named = await run([...lease, { filler: 3, states: [['caretaker', 5]] }], [...fields, 'caretaker'], {
      base_execution: base.id,
    })
    expect(named).toMatchObject({ response: { caretaker: 'Ms Quill 5' }, execution_modes: { '/caretaker': 'agent' } })
  })

  test('for unchanged documents asks only the fields that the schema adds', async () => {
    const inputs = await upload(withPage(1, { states: [['garage_number', 7]] }))
    const base = await execute({ model: modelId, inputs, config: config(fields) })
    const before = model.requests.length
    const added = await execute({
      model: modelId,
      inputs,
      config: config([...fields, 'garage_number'], { base_execution: base.id }),
    })
    expect(added).toMatchObject({
      response: { ...base.response, garage_number: 'G107' },
      execution_modes: { '/lessor_name': 'kept', '/garage_number': 'agent' },
    })
    expect(model.requests).toHaveLength(before + 1)
    expect(model.requests.at(-1)?.text).toContain('"properties":{"garage_number"')
  })

  test('keeps what a person corrected, with either engine', async () => {
    for (const id of [modelId, embedded]) {
      const inputs = await upload(lease)
      const base = await execute({ model: id, inputs, config: config(fields) })
      const changes = [{ path: '/lease_code', value: 'LC-7777' }]
      const review = await service.call('POST', `/v1/agent/executions/${base.id}/review`, {
        body: { changes, done: true },
      })
      expect(review.status).toBe(200)
      const delta = await execute({
        ...{ model: id, inputs },
        config: config([...fields, 'deposit_amount'], { base_execution: base.id }),
      })
      expect(delta).toMatchObject({
        response: { ...base.response, lease_code: 'LC-7777', deposit_amount: null },
        execution_modes: { '/lease_code': 'kept' },
      })
      const again = await execute({
        ...{ model: id, inputs },
        config: config([...fields, 'deposit_amount', 'caretaker'], { base_execution: delta.id }),
      })
      expect(again, again.usage.message).toMatchObject({ response: { ...delta.response, caretaker: null } })
    }
  })

  test.each([
    ['the whole answer', ''],
    ['an object', '/parties'],
  ])('keeps what a person corrected as a part of %s', async (_what, path) => {
    const parties = { type: 'object', properties: schemaOf(['lessor_name', 'caretaker']).properties }
    const json_schema = { type: 'object', properties: { parties, ...schemaOf(['lease_code']).properties } }
    const inputs = await upload(lease)
    const request = { model: embedded, inputs, config: { prompt: 'Read the lease', json_schema } }
    const base = await execute(request)
    const corrected = { ...base.response, parties: { lessor_name: 'By phone', caretaker: 'Ms Quill' } }
    const changes = [{ path, value: path === '' ? corrected : corrected.parties }]
    await service.call('POST', `/v1/agent/executions/${base.id}/review`, { body: { changes, done: true } })
    const delta = await execute({ ...request, config: { ...request.config, base_execution: base.id } })
    expect(delta, delta.usage.message).toMatchObject({
      response: corrected,
      execution_modes: { '/parties/lessor_name': 'kept', '/parties/caretaker': 'kept' },
    })
  })

  test.each<[what: string, config: object, body?: object]>([
    ['another prompt', { prompt: 'Read it again' }],
    ['another model', {}, { model: embedded }],
    ['another path', { path: 'cheapest' }],
    ['another accepted share of wrong values', { max_wrong_rate: 0.2 }],
    ['other pages', { page_indices: [0, 2] }],
    ['other tools', { tool_names: ['document.search'] }],
    ['other values among its inputs', {}, { values: { year: 2026 } }],
    ['other skills', { skills: ['terms'] }],
  ])('asks everything for %s, and says so', async (what, more, { values = {}, ...body }: { values?: object } = {}) => {
    const skill = async () =>
      (
        await service.call('POST', '/v1/skills/create', {
          body: { name: 'terms', description: 'Terms of leases', prompt: 'A lease has a lessor.' },
        })
      ).json
    const skills = 'skills' in more ? { skills: [{ type: 'skill_reference', skill_id: (await skill()).id }] } : {}
    const base = await run(lease, fields)
    const inputs = { ...((await upload(lease)) as object), ...values }
    const delta = await execute({
      ...{ model: modelId, inputs, config: config(fields, { ...more, ...skills, base_execution: base.id }) },
      ...body,
    })
    expect(delta.execution_modes).toBeNull()
    expect(delta.usage.message).toContain(`the earlier execution had ${what}`)
  })

  test('asks everything when the earlier answer had grounding, whose values stand beside their evidence', async () => {
    const base = await run(lease, fields, { grounding: true })
    const delta = await run(lease, fields, { base_execution: base.id })
    expect(delta).toMatchObject({ response: { lease_code: 'LC-4002' }, execution_modes: null })
    expect(delta.usage.message).toContain('the earlier execution had an answer with grounding')
  })

  test('asks everything when the parsed documents of the earlier execution are gone, and says so', async () => {
    const base = await run(lease, fields)
    await service.database.db.query('delete from readings')
    const delta = await run(withPage(1, { filler: 4 }), fields, { base_execution: base.id })
    expect(delta).toMatchObject({ response: base.response, execution_modes: null })
    expect(delta.usage.message).toContain('the earlier documents are no longer stored')
  })

  test('asks everything again when the earlier answer does not fit the schema, as one from elsewhere may not', async () => {
    const base = await run(lease, fields)
    await service.database.db.query('update executions set response = $2 where id = $1', [
      base.id,
      { ...base.response, lease_code: 4711 },
    ])
    const delta = await run(lease, fields, { base_execution: base.id })
    expect(delta).toMatchObject({ status: 'completed', response: base.response, execution_modes: null })
    expect(delta.usage.message).toContain('the earlier answer does not fit the schema')
  })

  test('asks a field again whose value has no place on a page', async () => {
    const properties = { ...schemaOf(fields).properties, caretaker: { type: ['string', 'null'] } }
    const json_schema = { type: 'object', properties, required: [...fields, 'caretaker'], additionalProperties: false }
    const base = await run(lease, [], { json_schema })
    await service.database.db.query(`update executions set response = $2, evidence = $3 where id = $1`, [
      base.id,
      { ...base.response, caretaker: 'Nobody wrote this' },
      { ...base.evidence, '/caretaker': { status: 'unsupported', confidence: 0.5 } },
    ])
    const delta = await run(withPage(1, { filler: 4 }), [], { json_schema, base_execution: base.id })
    expect(delta.execution_modes).toMatchObject({ '/lease_code': 'kept', '/caretaker': 'agent' })
    expect(delta.usage.message).toContain('/caretaker (the earlier value was not found on a page)')
  })

  test('asks what stood in a document that is no longer among the inputs', async () => {
    const annex = { annex: ((await upload([{ filler: 5, states: [['garage_number', 8]] }])) as { lease: Json }).lease }
    const inputs = (await upload(lease)) as object
    const all: Name[] = [...fields, 'garage_number']
    const base = await execute({ model: modelId, inputs: { ...inputs, ...annex }, config: config(all) })
    expect(base.response.garage_number).toBe('G108')
    const delta = await execute({ model: modelId, inputs, config: config(all, { base_execution: base.id }) })
    expect(delta.response).toEqual({ ...base.response, garage_number: null })
    expect(delta.execution_modes).toMatchObject({ '/lease_code': 'kept', '/garage_number': 'agent' })
  })

  test('asks a list again, which may have rows on every page', async () => {
    const json_schema = {
      type: 'object',
      properties: {
        lease_code: { type: ['string', 'null'] },
        tenants: { type: 'array', items: { type: 'string' } },
      },
      required: ['lease_code', 'tenants'],
    }
    const base = await run(lease, [], { json_schema }).catch(() => undefined)
    if (!base) throw new Error('the list was not answered')
    const delta = await run(withPage(1, { filler: 4 }), [], { json_schema, base_execution: base.id })
    expect(delta.execution_modes).toEqual({ '/lease_code': 'kept', '/tenants': 'agent' })
    expect(delta.usage.message).toContain('/tenants (a list may have rows on every page)')
  })

  test('asks a field again that the schema now defines otherwise', async () => {
    const base = await run(lease, fields)
    const schema = schemaOf(fields)
    const properties = { ...schema.properties, lease_code: { type: ['string', 'null'], description: 'Without LC-' } }
    const json_schema = { ...schema, properties }
    const delta = await run(lease, fields, { json_schema, base_execution: base.id })
    expect(delta.execution_modes).toEqual({
      '/lessor_name': 'kept',
      '/lease_code': 'agent',
      '/monthly_rent': 'kept',
    })
  })

  test('on the cheapest path learns with requests that ask all fields', async () => {
    const base = await run(lease, fields, { path: 'cheapest' })
    const changed = withPage(2, { states: [['monthly_rent', 9]] })
    const delta = await run(changed, fields, { path: 'cheapest', base_execution: base.id })
    expect(delta).toMatchObject({
      response: { ...base.response, monthly_rent: 709 },
      execution_modes: { '/lessor_name': 'kept', '/monthly_rent': 'agent' },
    })
    expect(Object.keys(delta.path.fields)).toEqual(['/monthly_rent'])
    const keys = await service.database.db.query<{ key: string }>(
      `select distinct path->>'key' as key from executions where id = any($1)`,
      [[base.id, delta.id]],
    )
    expect(keys).toHaveLength(1)
  })

  test('replays equal without its base, and asks no model', async () => {
    const base = await run(lease, fields)
    const delta = await run(withPage(2, { states: [['monthly_rent', 9]] }), fields, { base_execution: base.id })
    const before = model.requests.length
    const { json } = await service.call('POST', `/v1/agent/executions/${delta.id}/replay`)
    expect(json).toMatchObject({ equal: true, differences: [], model_calls: 0 })
    expect(model.requests).toHaveLength(before)
  })

  test('repeats with its base in a rerun, and loses it with the override of another', async () => {
    const base = await run(lease, fields)
    const delta = await run(lease, fields, { base_execution: base.id })
    expect((await service.call('GET', `/v1/agent/executions/${delta.id}/request`)).json.config.base_execution).toBe(
      base.id,
    )
    const { json } = await service.call('POST', `/v1/agent/executions/${delta.id}/rerun`, {
      body: { batch: false, config: { base_execution: delta.id } },
    })
    expect(json).toMatchObject({ base_execution: delta.id, response: base.response })
  })

  test('is refused for a base of another workspace, an unknown one, one that failed, and one that was not retained', async () => {
    const inputs = await upload(lease)
    const call = (base: string, key = service.key) =>
      service.call('POST', '/v1/agent/execute', {
        key,
        body: {
          model: modelId,
          inputs: { lease: 'Lessor: Nobody' },
          config: config(fields, { base_execution: base }),
        },
      })
    const base = await execute({ model: modelId, inputs, config: config(fields) })
    const unknown = {
      status: 404,
      json: { detail: 'config.base_execution: this workspace has no execution with this id' },
    }
    expect(await call(base.id, await service.stranger())).toMatchObject(unknown)
    expect(await call('7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a333')).toMatchObject(unknown)
    expect(await call('nothing')).toMatchObject(unknown)
    const failed = await execute({
      model: embedded,
      inputs: { lease: 'Nothing here' },
      config: config(['garage_number']),
    })
    expect(failed.status).toBe('failed')
    expect(await call(failed.id)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('only a completed one') },
    })
    const gone = await execute({
      ...{ model: modelId, inputs: { lease: 'Lessor: Nobody' }, config: config(fields) },
      metadata: { allow_retention: false },
    })
    expect(await call(gone.id)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('was not retained') },
    })
  })
})
