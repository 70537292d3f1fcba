import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'
import { zipOf } from './support/zips.ts'

/** Shadow runs have their own tests. */
const withoutShadows = { config: { file: { programs: { shadow_share: 0 } } } }

let service: TestService
beforeAll(async () => {
  service = await openTestService(withoutShadows)
})
afterAll(() => service[Symbol.asyncDispose]())

const schema = {
  type: 'object',
  properties: {
    reference: { type: ['string', 'null'] },
    day: { type: ['string', 'null'], format: 'date' },
    amount: { type: ['number', 'null'] },
  },
  required: ['reference', 'day', 'amount'],
  additionalProperties: false,
}

/** The n-th delivery note of one sender, with its correct answer. */
function note(n: number) {
  const day = `2026-0${1 + (n % 9)}-1${n % 10}`
  const amount = 100 + n * 7 + 0.25
  const lines = [
    'Harbour Supplies',
    `Consignment  HS-${4000 + n * 13}`,
    `Dispatched   ${day}`,
    `Crates       ${2 + (n % 5)}`,
    `Handling     ${(12 + n / 2).toFixed(2)}`,
    `Payable now  ${amount.toFixed(2)}`,
    'Thank you for your custom',
  ]
  return { text: lines.join('\n'), answer: { reference: `HS-${4000 + n * 13}`, day, amount } }
}

const inputsOf = (text: string) => ({ note: { type: 'text', text } })

/** The same note after the sender added an amount after handling: no new word indicates it. */
function laterNote(n: number) {
  const { text, answer } = note(n)
  const amount = answer.amount + 20
  const lines = text.split('\n')
  return {
    text: [...lines.slice(0, -1), 'Handling     20.00', `Payable  ${amount.toFixed(2)}`, ...lines.slice(-1)].join('\n'),
    answer: { ...answer, amount },
  }
}

/** The n-th invoice of another sender, whose total the embedded engine reads too. */
const invoice = (n: number, more: string[] = []) =>
  [
    'Quillfeather Ltd, 5 Grand Parade',
    'Invoice',
    `Invoice number: Q-${700 + n}`,
    'Freight: 9.00',
    `Total: ${(50 + n).toFixed(2)}`,
    ...more,
  ].join('\n')

/** Polls until the reply matches; every request waits for the server's answer. */
async function until(path: string, is: (json: Answer['json']) => boolean): Promise<Answer['json']> {
  for (;;) {
    const { json } = await service.call('GET', path)
    if (is(json)) return json
    await lookAgain()
  }
}

async function makeSkill(name: string): Promise<string> {
  const body = { name, description: 'Reads delivery notes', prompt: 'Read the delivery note', json_schema: schema }
  const { status, json } = await service.call('POST', '/v1/skills/create', { body })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.id
}

async function addCases(skill: string, from: number, count: number): Promise<{ id: string }[]> {
  const cases = Array.from({ length: count }, (_, n) => note(from + n)).map(({ text, answer }) => ({
    inputs: inputsOf(text),
    response: answer,
  }))
  const { status, json } = await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

/** Compiles and waits for the gate. */
async function compile(skill: string, body: object = {}): Promise<Answer['json']> {
  const { status, json } = await service.call('POST', `/v1/skills/${skill}/programs`, { body })
  expect(status, JSON.stringify(json)).toBe(201)
  expect(json).toMatchObject({ status: 'compiling', source: null, gate: null })
  return until(`/v1/skills/${skill}/programs/${json.id}`, ({ status: now }) => now !== 'compiling')
}

async function execute(skill: string, text: string, more: { model?: string; config?: object } = {}) {
  return service.execute({
    model: more.model ?? 'svc-agent-2:auto',
    inputs: inputsOf(text),
    config: { execution_mode: 'program', skills: [{ skill_id: skill }], ...more.config },
  })
}

describe('a program compiled from cases', () => {
  let skill: string
  let program: Answer['json']
  beforeAll(async () => {
    skill = await makeSkill('delivery-notes')
    await addCases(skill, 0, 12)
    program = await compile(skill)
  })

  test('passes its gate, and its source, hash and report can be read', async () => {
    expect(program, JSON.stringify(program.gate ?? program.reason)).toMatchObject({
      status: 'ready',
      origin: 'embedded',
      input_shape: { note: 'text' },
      language: 'typescript',
    })
    expect(program.gate.checks.map(({ name, passed }: { name: string; passed: boolean }) => [name, passed])).toEqual([
      ['runs', true],
      ['same_answer', true],
      ['agreement', true],
      ['no_literals', true],
      ['reads_input', true],
    ])
    expect(program.gate.agreement).toContainEqual({ pointer: '/amount', agreed: 12, compared: 12 })
    expect(program.source).toContain('export default async function run')
    expect(program.sha256).toMatch(/^[0-9a-f]{64}$/)
    const { json: listed } = await service.call('GET', `/v1/skills/${skill}/programs`)
    expect(listed).toEqual([program])
  })

  test('serves an unseen document without a model, and the record names it and has the evidence', async () => {
    const { text, answer } = note(40)
    const record = await execute(skill, text)
    expect(record).toMatchObject({
      status: 'completed',
      response: answer,
      execution_mode: 'program',
      program: { id: program.id, sha256: program.sha256 },
      usage: { message: null },
    })
    expect(record.evidence['/amount']).toMatchObject({
      input: 'note',
      page: 0,
      quote: expect.stringContaining('380.25'),
    })
    const { json: steps } = await service.call('GET', `/v1/agent/executions/${record.id}/steps`)
    expect(steps.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual([
      'tool document.read',
      'tool program',
    ])
    const { json: after } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
    expect(after.runs).toBe(1)
    expect(after.run_ms).toBeGreaterThan(0)
  })

  test('serves a request with a base of which nothing is kept, as it would without', async () => {
    const base = await execute(skill, note(50).text)
    const { text, answer } = note(51)
    const record = await execute(skill, text, { config: { base_execution: base.id } })
    expect(record).toMatchObject({ response: answer, execution_mode: 'program', program: { id: program.id } })
    expect(record.usage.message).toMatch(/^Kept 0 of 3 fields/)
    const { json } = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
    expect(json).toMatchObject({ equal: true })
  })

  test('is ignored by a model of the first generation', async () => {
    const record = await execute(skill, note(41).text, { model: 'svc-agent-1:auto' })
    expect(record).toMatchObject({ execution_mode: 'agent', program: null })
    expect(record.usage.message).not.toContain('program')
  })

  test('is used only on request', async () => {
    const record = await execute(skill, note(42).text, { config: { execution_mode: 'agent' } })
    expect(record).toMatchObject({ execution_mode: 'agent', program: null })
    expect(record.usage.message).not.toContain('program')
  })

  test('does not answer for a document of another kind: the run continues as an agent and says why', async () => {
    const letter =
      'Dear Sir or Madam,\nour meeting of 2026-05-04 is moved.\nWe owe you 12.00 for the tickets.\nKind regards'
    const record = await execute(skill, letter)
    expect(record).toMatchObject({ execution_mode: 'agent', program: null })
    expect(record.usage.message).toMatch(/Ran as agent: (the document differs from those|the program declined)/)
  })

  test('does not serve another schema or inputs of another shape, and the record says so', async () => {
    const other = await execute(skill, note(43).text, {
      config: { json_schema: { type: 'object', properties: { amount: { type: 'number' } } } },
    })
    expect(other.usage.message).toContain('Ran as agent: there is no program for these skills and this schema')
    const shaped = await service.execute({
      model: 'svc-agent-2:auto',
      inputs: { slip: { type: 'text', text: note(44).text } },
      config: { execution_mode: 'program', skills: [{ skill_id: skill }] },
    })
    expect(shaped.usage.message).toContain(
      'Ran as agent: the program for these skills and this schema was tested on inputs of another shape',
    )
  })

  test('is unknown to another workspace, and gone once deleted', async () => {
    const key = await service.stranger()
    const path = `/v1/skills/${skill}/programs/${program.id}`
    expect((await service.call('GET', path, { key })).status).toBe(404)
    expect((await service.call('DELETE', path, { key })).status).toBe(404)
    expect((await service.call('DELETE', path)).json).toMatchObject({ id: program.id, status: 'ready' })
    expect((await service.call('GET', path)).status).toBe(404)
    const record = await execute(skill, note(45).text)
    expect(record.usage.message).toContain('Ran as agent: there is no program for these skills and this schema')
  })
})

test('without cases there is nothing to compile from, and the refusal says what helps', async () => {
  const skill = await makeSkill('no-answers')
  const { status, json } = await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
  expect(status).toBe(422)
  expect(json.detail[0].msg).toContain('/cases')
  const unknown = { execution_ids: ['7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a555'] }
  expect((await service.call('POST', `/v1/skills/${skill}/programs`, { body: unknown })).status).toBe(404)
})

test('given ids are refused for what is wrong with them, and an empty list is as good as none', async () => {
  const skill = await makeSkill('given-ids')
  const ids = (await addCases(skill, 0, 12)).map(({ id }) => id)
  const ask = (body: object, of = skill) => service.call('POST', `/v1/skills/${of}/programs`, { body })
  const others = Array.from({ length: 89 }, () => randomUUID())
  expect(await ask({ case_ids: ids, execution_ids: others })).toMatchObject({
    status: 422,
    json: { detail: [{ loc: ['body'], msg: 'Give at most 100 ids in total', type: 'array_too_long' }] },
  })
  expect(await ask({ case_ids: ids, execution_ids: others.slice(1) })).toMatchObject({
    status: 404,
    json: { detail: expect.stringContaining('88 of the 100 given ids are neither') },
  })
  const all = await compile(skill, { case_ids: [], execution_ids: [] })
  expect(all.gate.cases.answered + all.gate.cases.declined).toBe(12)
  const some = await compile(skill, { case_ids: ids.slice(4), execution_ids: [] })
  expect(some.gate.cases.answered + some.gate.cases.declined).toBe(8)
  const evals = [{ inputs: { note: 'note.txt' }, response: note(0).answer }]
  const zip = zipOf({
    'SKILL.md': '---\nname: own-cases\ndescription: Reads delivery notes\n---\nRead the delivery note\n',
    'schema.json': JSON.stringify(schema),
    'evals/evals.json': JSON.stringify(evals),
    'evals/note.txt': note(0).text,
  })
  const { id: file_id } = await service.upload(zip, 'own-cases.zip')
  const body = { file_id, name: 'own-cases', description: 'Reads delivery notes' }
  const own = (await service.call('POST', '/v1/skills/create', { body })).json.id
  expect((await service.call('GET', `/v1/skills/${own}/cases`)).json).toMatchObject([{ id: 'evals-0' }])
  expect(await ask({ case_ids: ['evals-0'] }, own)).toMatchObject({
    status: 404,
    json: { detail: expect.stringContaining('Cases whose inputs are files of the bundle cannot be used') },
  })
})

test('a program that disagrees with the cases is rejected, and its report names the field', async () => {
  const skill = await makeSkill('wrong-answers')
  const cases = Array.from({ length: 8 }, (_, n) => {
    const { text, answer } = note(n)
    // Values that are not in the text, in more than half of the fields.
    return {
      inputs: inputsOf(text),
      response: { ...answer, reference: `${n}-X-${n}`, amount: answer.amount * 3 + 0.01 },
    }
  })
  await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })
  const program = await compile(skill)
  expect(program.status).toBe('rejected')
  expect(program.reason).toContain('/amount')
  expect((await execute(skill, note(20).text)).usage.message).toMatch(/rejected/)
})

describe('a program whose answers turn out to be wrong', () => {
  let skill: string
  let program: Answer['json']
  const programs = async () => (await service.call('GET', `/v1/skills/${skill}/programs`)).json
  const right = async (n: number) => {
    const { id, execution_mode: mode } = await execute(skill, laterNote(n).text)
    const cases = [{ execution_id: id, response: laterNote(n).answer }]
    expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
    return mode
  }
  beforeAll(async () => {
    skill = await makeSkill('changing-notes')
    await addCases(skill, 0, 12)
    program = await compile(skill)
    expect(program.status, JSON.stringify(program)).toBe('ready')
  })

  test('loses the field in which two cases in a row disagree with it', async () => {
    // The program reads the amount where it stood before; nobody gets that answer.
    expect(await right(30)).toBe('agent')
    expect((await programs())[0]).toMatchObject({
      ...{ status: 'ready', runs: 0, withholds: true, drift: { by: 'program', fields: ['/amount'] } },
      shadow: { runs: 1, disagreements: 1 },
    })
    expect(await right(31)).toBe('agent')
    const weakened = (await programs()).find(({ id }: { id: string }) => id === program.id)
    expect(weakened).toMatchObject({
      ...{ status: 'ready', withholds: false },
      fields: [
        { pointer: '/reference', by: 'program' },
        { pointer: '/day', by: 'program' },
        { pointer: '/amount', by: 'agent', bound: 1 },
      ],
      shadow: {
        ...{ runs: 2, disagreements: 2, bound: 1, method: 'anytime_valid_beta_mixture', confidence: 0.95 },
        judgements: expect.arrayContaining([{ by: 'case', answers: 2, wrong: 2, counts: true }]),
      },
    })
  })

  test('is compiled again from the corrected answers, until one passes that handles both kinds', async () => {
    const decided = (all: Answer['json']) => all.every(({ status }: { status: string }) => status !== 'compiling')
    for (let n = 32; n < 40; n += 1) {
      await right(n)
      await until(`/v1/skills/${skill}/programs`, decided)
    }
    const ready = (await programs()).find(({ status }: { status: string }) => status === 'ready')
    expect(ready, JSON.stringify(await programs())).toBeDefined()
    for (const { text, answer } of [laterNote(60), note(61)]) {
      const served = await execute(skill, text)
      expect(served, served.usage.message).toMatchObject({ response: answer, program: { id: ready.id } })
    }
  })
})

test('what is new in a document is accepted once a case confirms the answer that was withheld, and is served from then on', async () => {
  const skill = await makeSkill('stamped-notes')
  await addCases(skill, 0, 12)
  const program = await compile(skill)
  expect(program.status, JSON.stringify(program)).toBe('ready')
  /** The same note with two lines of known words at its end: the amount stays where it was. */
  const stamped = (n: number) => {
    const { text, answer } = note(n)
    return { text: `${text}\nDispatched\nHarbour Supplies`, answer }
  }
  const first = await execute(skill, stamped(50).text)
  expect(first).toMatchObject({ execution_mode: 'agent', program: null })
  const cases = [{ execution_id: first.id, response: stamped(50).answer }]
  expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
  const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
  expect(json).toMatchObject({ runs: 0, withholds: false, drift: null, shadow: { runs: 1, disagreements: 0 } })
  expect(json.shadow.judgements).toContainEqual({ by: 'case', answers: 1, wrong: 0, counts: true })
  expect(await execute(skill, stamped(51).text)).toMatchObject({
    ...{ execution_mode: 'program', response: stamped(51).answer, program: { id: program.id } },
  })
})

test('an answer with marks of its sources does not judge the withheld one itself: a shadow in the tier of the request does', async () => {
  const total = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const made = { name: 'marked-totals', description: 'Reads totals', prompt: 'Read the total', json_schema: total }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  const cases = Array.from({ length: 8 }, (_, n) => ({ inputs: inputsOf(invoice(n)), response: { total: 50 + n } }))
  await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })
  const program = await compile(skill.id)
  expect(program.status, JSON.stringify(program)).toBe('ready')
  const asked = await execute(skill.id, invoice(20, ['Freight: 9.00', 'Grand total: 79.00']), {
    config: { grounding: true, service_tier: 'priority' },
  })
  expect(asked).toMatchObject({ status: 'completed', execution_mode: 'agent', program: null })
  const place = `/v1/skills/${skill.id}/programs/${program.id}`
  expect(await until(place, ({ shadow }) => shadow.runs > 0)).toMatchObject({
    ...{ runs: 0, withholds: true, drift: { by: 'program', fields: ['/total'] } },
    shadow: { runs: 1, disagreements: 1 },
  })
  const { json: shadows } = await service.call('GET', '/v1/agent/executions?purpose=shadow')
  expect(shadows[0]).toMatchObject({ shadow_of: asked.id, service_tier: 'priority', response: { total: 79 } })
})

/** As if the program had been tested before the reader was upgraded, a while ago. */
const testedBefore = (id: string) =>
  service.database.db.query(
    `update programs set guard = jsonb_set(guard::jsonb, '{reader}', '"reader-0"')::json, created_at = created_at - interval '1 hour'
     where id = $1`,
    [id],
  )
const otherReader = 'Ran as agent: the program was tested with another version of the reader, and is tested again'

describe('after an upgrade of the reader', () => {
  test('a program serves nothing until it passed its gate again, as a new program with evidence of its own', async () => {
    const skill = await makeSkill('upgraded-notes')
    await addCases(skill, 0, 12)
    const old = await compile(skill)
    expect(old.status, JSON.stringify(old)).toBe('ready')
    await testedBefore(old.id)
    // A field that it had lost stays lost: the cases did not show that it was wrong.
    await service.database.db.query(`update programs set lost_fields = '["/day"]' where id = $1`, [old.id])
    const first = await execute(skill, note(40).text)
    // The embedded engine alone reads less of these notes.
    expect(first).toMatchObject({ execution_mode: 'agent', program: null })
    expect(first.usage.message).toContain(otherReader)
    const [again] = await until(`/v1/skills/${skill}/programs`, ([newest]) => newest.status !== 'compiling')
    expect(again, JSON.stringify(again)).toMatchObject({ status: 'ready', runs: 0, shadow: { runs: 0, bound: 1 } })
    expect(again.id).not.toBe(old.id)
    expect((await service.call('GET', `/v1/skills/${skill}/programs/${old.id}`)).json).toMatchObject({
      ...{ status: 'demoted', reason: 'A newer program took its place' },
    })
    const served = await execute(skill, note(41).text)
    // The embedded engine is not sure enough of the day.
    expect(served).toMatchObject({ response: { ...note(41).answer, day: null }, program: { id: again.id } })
    expect(served.execution_modes).toEqual({ '/reference': 'program', '/day': 'agent', '/amount': 'program' })
  })

  test('one that does not pass again is withdrawn and says why; one that was made minutes ago waits', async () => {
    const skill = await makeSkill('unproven-notes')
    const cases = await addCases(skill, 0, 12)
    const old = await compile(skill)
    await testedBefore(old.id)
    await service.database.db.query(`update programs set created_at = created_at + interval '1 hour' where id = $1`, [
      old.id,
    ])
    const early = await execute(skill, note(40).text)
    expect(early.usage.message).toContain(otherReader)
    expect((await service.call('GET', `/v1/skills/${skill}/programs`)).json).toHaveLength(1)
    await service.database.db.query(`update programs set created_at = created_at - interval '1 hour' where id = $1`, [
      old.id,
    ])
    for (const { id } of cases)
      expect((await service.call('DELETE', `/v1/skills/${skill}/cases/${id}`)).status).toBe(200)
    await execute(skill, note(41).text)
    const [, gone] = await until(`/v1/skills/${skill}/programs`, ([, before]) => before?.status === 'demoted')
    expect(gone).toMatchObject({
      id: old.id,
      reason: expect.stringContaining('It did not pass its gate again with a new version of the reader: The skill has'),
    })
    expect((await execute(skill, note(42).text)).usage.message).toContain('is ready: 1 demoted, 1 rejected')
  })
})

test('a person who corrects a value to null says that the program was wrong', async () => {
  const skill = await makeSkill('nulled-notes')
  await addCases(skill, 0, 12)
  const program = await compile(skill)
  expect(program.status, JSON.stringify(program)).toBe('ready')
  const { id, execution_mode: mode } = await execute(skill, note(40).text)
  expect(mode).toBe('program')
  const cases = [{ execution_id: id, response: { ...note(40).answer, amount: null } }]
  expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
  const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
  expect(json.shadow).toMatchObject({ runs: 1, disagreements: 1 })
})

test('a finished review judges the program as a person does, and becomes a case of the skill where that is set', async () => {
  const skill = await makeSkill('reviewed-notes')
  await addCases(skill, 0, 12)
  const program = await compile(skill)
  expect(program.status, JSON.stringify(program)).toBe('ready')
  const setting = { skill_name: 'reviewed-notes', below: 0, add_cases: true }
  await service.call('PUT', '/v1/reviews/settings', { body: setting })
  const casesOf = async (id: string) =>
    (await service.call('GET', `/v1/skills/${skill}/cases`)).json.filter(
      (one: { execution_id: string | null }) => one.execution_id === id,
    )
  const { id, execution_mode: mode } = await execute(skill, note(40).text)
  expect(mode).toBe('program')
  const review = (body: object) => service.call('POST', `/v1/agent/executions/${id}/review`, { body })
  await review({ changes: [{ path: '/amount', value: 1 }] })
  expect(await casesOf(id)).toEqual([])
  await review({ done: true })
  const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
  expect(json.shadow.judgements).toContainEqual({ by: 'human', answers: 1, wrong: 1, counts: true })
  expect(json.shadow.evidence).toMatchObject({ human: 1, model: 0 })
  expect(await casesOf(id)).toMatchObject([{ response: { ...note(40).answer, amount: 1 } }])
  // A later review of the same execution replaces its case.
  await review({ changes: [{ path: '/amount', value: 2 }] })
  expect(await casesOf(id)).toMatchObject([{ response: { amount: 2 } }])
  await service.call('PUT', '/v1/reviews/settings', { body: { ...setting, below: null } })
  const other = await execute(skill, note(41).text)
  await service.call('POST', `/v1/agent/executions/${other.id}/review`, {
    body: { changes: [{ path: '/amount', value: 3 }], done: true },
  })
  expect(await casesOf(other.id)).toEqual([])
  const added = await service.call('POST', `/v1/skills/${skill}/cases`, { body: { execution_id: other.id } })
  expect(added).toMatchObject({ status: 201, json: [{ execution_id: other.id, response: { amount: 3 } }] })
  // A request asks for it by itself.
  const asking = await execute(skill, note(42).text, { config: { review: { below: 0, add_cases: true } } })
  await service.call('POST', `/v1/agent/executions/${asking.id}/review`, {
    body: { changes: [{ path: '/amount', value: 4 }], done: true },
  })
  expect(await casesOf(asking.id)).toMatchObject([{ response: { amount: 4 } }])
})

test('a person who corrects a finished review takes back what it said of the program; right answers from before a doubt do not end it', async () => {
  const skill = await makeSkill('late-reviews')
  await addCases(skill, 0, 12)
  const { id } = await compile(skill)
  const standing = async () => (await service.call('GET', `/v1/skills/${skill}/programs/${id}`)).json
  const humans = async () => (await standing()).shadow.judgements.find(({ by }: { by: string }) => by === 'human')
  const answers: Answer['json'][] = []
  for (const n of [40, 41, 42, 43]) answers.push(await execute(skill, note(n).text))
  expect(answers.map(({ execution_mode: mode }) => mode)).toEqual(answers.map(() => 'program'))
  const [first, ...older] = answers
  const review = async (of: { id: string }, body: object) =>
    expect((await service.call('POST', `/v1/agent/executions/${of.id}/review`, { body })).status).toBe(200)
  await review(first, { done: true })
  expect(await humans()).toMatchObject({ answers: 1, wrong: 0 })
  await review(first, { changes: [{ path: '/amount', value: 1 }] })
  expect(await humans()).toMatchObject({ answers: 1, wrong: 1 })
  expect((await standing()).shadow).toMatchObject({ runs: 1, disagreements: 1 })
  for (const one of older) await review(one, { done: true })
  expect(await standing()).toMatchObject({ status: 'ready', withholds: true, drift: { by: 'program' } })
  expect(await humans()).toMatchObject({ answers: 4, wrong: 1 })
  await review(first, { changes: [{ path: '/amount', value: first.response.amount }] })
  expect(await standing()).toMatchObject({ withholds: false, drift: null })
  expect(await humans()).toMatchObject({ answers: 4, wrong: 0 })
})

test('copies of one case are one case: a program is not proved on what it learned', async () => {
  const skill = await makeSkill('copied-notes')
  const { text, answer } = note(5)
  const texts = [text, { type: 'text', text }, text, text]
  const cases = texts.map((given) => ({ inputs: { note: given }, response: answer }))
  expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
  expect(await compile(skill)).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('at least 2 cases with a document to learn from; there are 1'),
  })
})

test('a case of an execution whose review is not finished is no evidence for a program', async () => {
  const skill = await makeSkill('half-reviewed')
  await addCases(skill, 0, 12)
  const { id } = await compile(skill)
  const evidence = async () => (await service.call('GET', `/v1/skills/${skill}/programs/${id}`)).json.shadow.evidence
  const served = await execute(skill, note(40).text)
  expect(served.execution_mode).toBe('program')
  const addCase = () => service.call('POST', `/v1/skills/${skill}/cases`, { body: { execution_id: served.id } })
  const review = (body: object) => service.call('POST', `/v1/agent/executions/${served.id}/review`, { body })
  await review({ comment: 'Later' })
  expect((await addCase()).status).toBe(201)
  expect(await evidence()).toMatchObject({ human: 0, case: 0 })
  await review({ done: true })
  expect(await evidence()).toMatchObject({ human: 1, case: 0 })
})

test('wrong answers that are found far apart, in a review of many older ones, do not count as wrong in a row', async () => {
  const skill = await makeSkill('many-late-reviews')
  await addCases(skill, 0, 12)
  const { id } = await compile(skill)
  const answers: Answer['json'][] = []
  for (let n = 60; n < 74; n += 1) answers.push(await execute(skill, note(n).text))
  for (const [n, one] of answers.entries()) {
    const body = n === 0 || n === 13 ? { changes: [{ path: '/amount', value: 1 }], done: true } : { done: true }
    expect((await service.call('POST', `/v1/agent/executions/${one.id}/review`, { body })).status).toBe(200)
  }
  const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${id}`)
  expect(json).toMatchObject({ status: 'ready', withholds: true, shadow: { runs: 14, disagreements: 2 } })
})

test('is also run as an agent in the flex tier; what it answers to a changed form is withheld, and it is demoted when the agent disagrees twice in a row', async () => {
  await using shadowed = await openTestService({ config: { file: { programs: { shadow_share: 1 } } } })
  const before = service
  service = shadowed
  try {
    const total = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
    const made = { name: 'totals', description: 'Reads totals', prompt: 'Read the total', json_schema: total }
    const { json } = await shadowed.call('POST', '/v1/skills/create', { body: made })
    const cases = Array.from({ length: 8 }, (_, n) => ({
      inputs: inputsOf(invoice(n)),
      response: { total: 50 + n },
    }))
    await shadowed.call('POST', `/v1/skills/${json.id}/cases`, { body: { cases } })
    const program = await compile(json.id)
    expect(program.status, JSON.stringify(program)).toBe('ready')
    const shadows = (count: number) =>
      until(`/v1/skills/${json.id}/programs/${program.id}`, ({ shadow }) => shadow.runs >= count)

    const agreed = await execute(json.id, invoice(20))
    expect(agreed).toMatchObject({ execution_mode: 'program', response: { total: 70 } })
    // The embedded engine agrees with a program that it wrote: no evidence.
    expect((await shadows(1)).shadow).toMatchObject({
      ...{ runs: 1, disagreements: 0, bound: 1 },
      judgements: [
        { by: 'human', answers: 0, wrong: 0, counts: true },
        { by: 'case', answers: 0, wrong: 0, counts: true },
        { by: 'other_model', answers: 0, wrong: 0, counts: true },
        { by: 'same_engine', answers: 1, wrong: 0, counts: false },
      ],
    })
    const { json: listed } = await shadowed.call('GET', '/v1/agent/executions?purpose=shadow')
    expect(listed[0]).toMatchObject({
      shadow_of: agreed.id,
      execution_mode: 'agent',
      service_tier: 'flex',
      status: 'completed',
      response: { total: 70 },
    })

    const changed = (n: number) => invoice(n, ['Freight: 9.00', `Grand total: ${(59 + n).toFixed(2)}`])
    const first = await execute(json.id, changed(21))
    expect(first).toMatchObject({ execution_mode: 'agent', program: null, response: { total: 80 } })
    expect(first.usage.message).toContain(
      'Ran as agent: the document is structured differently around /total from those that the program was tested on',
    )
    expect(await shadows(2)).toMatchObject({
      ...{ status: 'ready', runs: 1, withholds: true, drift: { by: 'program', fields: ['/total'] } },
      shadow: { runs: 2, disagreements: 1 },
    })
    // While it is in doubt, even a document like the known ones is answered by the agent, and checks it.
    const doubted = await execute(json.id, invoice(24))
    expect(doubted).toMatchObject({ execution_mode: 'agent', response: { total: 74 } })
    expect(doubted.usage.message).toContain('the latest checked answers of the program include a wrong one')
    expect(await shadows(3)).toMatchObject({ status: 'ready', runs: 1, shadow: { runs: 3, disagreements: 1 } })
    expect((await shadowed.call('GET', '/v1/agent/executions?purpose=shadow')).json).toHaveLength(1)
    await execute(json.id, changed(22))
    expect(await shadows(4)).toMatchObject({ status: 'ready', withholds: true, shadow: { runs: 4, disagreements: 2 } })
    await execute(json.id, changed(25))
    expect(await shadows(5)).toMatchObject({ status: 'demoted', shadow: { runs: 5, disagreements: 3 } })
    const after = await execute(json.id, changed(23))
    expect(after).toMatchObject({ execution_mode: 'agent', response: { total: 82 } })
    expect(after.usage.message).toBe(
      'Ran as agent: no program for these skills and this schema is ready: 1 demoted, 0 rejected',
    )
    const addCases = async (...cases: object[]) => {
      const added = await shadowed.call('POST', `/v1/skills/${json.id}/cases`, { body: { cases } })
      expect(added.status, JSON.stringify(added.json)).toBe(201)
      return (await shadowed.call('GET', `/v1/skills/${json.id}/programs/${program.id}`)).json.shadow
    }
    // Cases that repeat the answers of the program and of the agent: nobody checked them.
    const repeated = await addCases({ execution_id: agreed.id }, { execution_id: first.id })
    expect(repeated).toMatchObject({ runs: 5, disagreements: 3, bound: 1 })
    expect(repeated.judgements).toContainEqual({ by: 'case', answers: 0, wrong: 0, counts: true })
    // Somebody says what is right: each answer counts once, under the case. The withheld one was wrong.
    const rested = await addCases(
      { execution_id: agreed.id, response: agreed.response },
      { execution_id: first.id, response: first.response },
    )
    expect(rested).toMatchObject({ runs: 5, disagreements: 3 })
    expect(rested.judgements).toContainEqual({ by: 'case', answers: 2, wrong: 1, counts: true })
    expect(rested.judgements).toContainEqual({ by: 'same_engine', answers: 3, wrong: 2, counts: false })
  } finally {
    service = before
  }
})

test('a program that was to be compiled when the server died is compiled by the next server', async () => {
  await using database = await makeDatabase()
  const before = service
  let skill = ''
  let program: Answer['json']
  try {
    {
      // A server without workers takes the order and ends before anyone starts on it.
      await using first = await openTestService({ ...withoutShadows, database, env: { SKILLRUN_ROLE: 'api' } })
      service = first
      skill = await makeSkill('survivors')
      await addCases(skill, 0, 6)
      program = (await first.call('POST', `/v1/skills/${skill}/programs`)).json
      expect(program.status).toBe('compiling')
    }
    await using second = await openTestService({ ...withoutShadows, database })
    service = second
    const done = await until(`/v1/skills/${skill}/programs/${program.id}`, ({ status }) => status !== 'compiling')
    expect(done.status, JSON.stringify(done)).toBe('ready')
  } finally {
    service = before
  }
})
