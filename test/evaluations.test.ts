import { describe, expect, test } from 'vitest'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain, until } from './support/until.ts'
import { zipOf } from './support/zips.ts'

const service = await opened(openTestService())

const text = invoiceLines.join('\n')
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
/** Requests only the number. */
const narrowSchema = { type: 'object', properties: { invoice_number: { type: ['string', 'null'] } } }

const bundle = (name: string, more: Record<string, string> = {}) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Reads invoices.\n---\n\nRead the invoice.\n`,
  'schema.json': JSON.stringify(invoiceSchema),
  ...more,
})

async function makeSkill(at: TestService, name: string, files: Record<string, string> = bundle(name)) {
  const file = await at.upload(zipOf(files), `${name}.zip`)
  const body = { file_id: file.id, name, description: 'Reads invoices.' }
  const made = await at.call('POST', '/v1/skills/create', { body })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return made.json as { id: string; name: string }
}

async function evaluated(at: TestService, skillId: string, body?: object) {
  const begun = await at.call('POST', `/v1/skills/${skillId}/evaluate`, { body })
  expect(begun.status, JSON.stringify(begun.json)).toBe(201)
  expect(begun.json).toMatchObject({ status: 'running', report: null, skill_id: skillId })
  return ended(at, skillId, begun.json.id)
}

async function ended(at: TestService, skillId: string, id: string) {
  return until(async () => {
    const { json } = await at.call('GET', `/v1/skills/${skillId}/evaluations/${id}`)
    return json.status !== 'running' ? json : undefined
  })
}

const addCases = (at: TestService, skillId: string, cases: readonly object[]) =>
  at.call('POST', `/v1/skills/${skillId}/cases`, { body: { cases } })

describe('cases of a skill', () => {
  test('are inputs with their response, or an execution, corrected or not; they belong to all versions, and are deleted one by one', async () => {
    const skill = await makeSkill(service, 'with-cases')
    const run = await service.call('POST', '/v1/agent/execute', {
      body: { batch: false, inputs: { invoice: text }, config: { skills: [{ skill_id: skill.id }] } },
    })
    const added = await addCases(service, skill.id, [
      { inputs: { invoice: text }, response: answer },
      { execution_id: run.json.id },
      { execution_id: run.json.id, response: { ...answer, total: 145 } },
    ])
    expect(added.status, JSON.stringify(added.json)).toBe(201)
    expect(added.json).toMatchObject([
      { inputs: { invoice: text }, response: answer, source: 'added', execution_id: null },
      { inputs: { invoice: text }, response: answer, source: 'execution', execution_id: run.json.id },
      { response: { total: 145 } },
    ])
    const next = await makeSkill(
      service,
      'with-cases',
      bundle('with-cases', {
        'evals/evals.json': JSON.stringify([{ files: ['evals/invoice.txt'], expected: answer }]),
        'evals/invoice.txt': text,
      }),
    )
    const listed = await service.call('GET', `/v1/skills/${next.id}/cases`)
    expect(listed.json).toEqual([
      ...added.json,
      {
        id: 'evals-0',
        inputs: { file: { type: 'bundle_file', path: 'evals/invoice.txt' } },
        response: answer,
        prompt: null,
        source: 'bundle',
        execution_id: null,
        created_at: expect.any(String),
      },
    ])
    const [first] = added.json
    const gone = await service.call('DELETE', `/v1/skills/${next.id}/cases/${first.id}`)
    expect(gone.json).toEqual(first)
    expect((await service.call('DELETE', `/v1/skills/${next.id}/cases/${first.id}`)).status).toBe(404)
    expect((await service.call('DELETE', `/v1/skills/${next.id}/cases/evals-0`)).status).toBe(409)
    expect((await service.call('GET', `/v1/skills/${skill.id}/cases`)).json).toEqual(added.json.slice(1))
  })

  test('are refused as a whole when one is invalid, with its location', async () => {
    const skill = await makeSkill(service, 'refusing')
    const good = { inputs: { invoice: text }, response: answer }
    for (const [wrong, at] of [
      [{ inputs: { invoice: text } }, ['response']],
      [{ response: answer }, ['inputs']],
      [{ inputs: { a: { type: 'image_url' } }, response: answer }, ['inputs', 'a', 'image_url']],
      [{ ...good, execution_id: skill.id }, []],
    ] as const) {
      const { status, json } = await addCases(service, skill.id, [good, wrong])
      expect(status, JSON.stringify(wrong)).toBe(422)
      expect(json.detail[0].loc).toEqual(['body', 'cases', 1, ...at])
    }
    expect((await addCases(service, skill.id, [good, { execution_id: skill.id }])).status).toBe(404)
    const lost = { inputs: { invoice: { type: 'input_file', file_id: skill.id } }, response: answer }
    expect(await addCases(service, skill.id, [good, lost])).toMatchObject({
      status: 404,
      json: { detail: expect.stringContaining('cases.1.inputs') },
    })
    expect((await service.call('GET', `/v1/skills/${skill.id}/cases`)).json).toEqual([])
  })

  test('of another workspace do not exist', async () => {
    const skill = await makeSkill(service, 'secret')
    const key = await service.stranger()
    for (const [method, path] of [
      ['GET', 'cases'],
      ['POST', 'evaluate'],
      ['GET', 'evaluations'],
    ] as const)
      expect((await service.call(method, `/v1/skills/${skill.id}/${path}`, { key })).status).toBe(404)
  })
})

describe('an evaluation', () => {
  test('runs each case with the skill, without it and with the previous version, in the flex tier, and reports agreement', async () => {
    const evals = { evals: [{ inputs: { invoice: 'invoice.txt' }, response: answer }] }
    const first = await makeSkill(service, 'graded', bundle('graded', { 'schema.json': JSON.stringify(narrowSchema) }))
    const second = await makeSkill(
      service,
      'graded',
      bundle('graded', { 'evals/evals.json': JSON.stringify(evals), 'evals/invoice.txt': text }),
    )
    await addCases(service, first.id, [
      {
        inputs: { invoice: text.replace('INV-2041', 'INV-2042') },
        response: { ...answer, invoice_number: 'INV-2043' },
      },
    ])
    const evaluation = await evaluated(service, second.id)
    expect(evaluation).toMatchObject({
      status: 'completed',
      skill_version: expect.any(String),
      number: 2,
      before: { skill_id: first.id, number: 1 },
      runs: 6,
      error: null,
      report: {
        cases: 2,
        gate: null,
        arms: {
          with: { completed: 2, failed: 0, fields: 6, agreed: 5, agreement: 5 / 6 },
          without: { completed: 2, fields: 6, agreed: 5 },
          before: { completed: 2, fields: 6, agreed: 1 },
        },
      },
    })
    const { without, before } = evaluation.report.lift
    expect(without).toMatchObject({ cases: 2, mean: 0 })
    expect(before).toMatchObject({ cases: 2, mean: expect.closeTo(2 / 3, 9) })
    expect(before.lower).toBeLessThan(before.mean)
    expect(evaluation.report.fields).toContainEqual({
      field: '/invoice_number',
      with: { fields: 2, agreed: 1 },
      without: { fields: 2, agreed: 1 },
      before: { fields: 2, agreed: 1 },
    })
    const [added, ofBundle] = evaluation.report.results
    expect(ofBundle).toMatchObject({ case_id: 'evals-0', runs: { with: { agreement: 1, disagreements: [] } } })
    expect(added.runs.with.disagreements).toEqual([
      { pointer: '/invoice_number', expected: 'INV-2043', actual: 'INV-2042' },
    ])
    const run = await service.call('GET', `/v1/agent/executions/${added.runs.with.execution_id}`)
    expect(run.json).toMatchObject({ service_tier: 'flex', skills: [{ id: second.id }], status: 'completed' })
    const listed = await service.call('GET', `/v1/skills/${first.id}/evaluations`)
    expect(listed.json).toEqual([evaluation])
  })

  test('counts copies of a case, however their inputs are given, once for a lift', async () => {
    const skill = await makeSkill(service, 'copied')
    const { id } = await service.upload(Buffer.from(text), 'invoice.txt')
    const copies = [text, { type: 'text', text }, { type: 'input_file', file_id: id }]
    const inputs = [...copies, text.replace('INV-2041', 'INV-2042')]
    await addCases(
      service,
      skill.id,
      inputs.map((invoice) => ({ inputs: { invoice }, response: answer })),
    )
    const { report } = await evaluated(service, skill.id)
    expect(report).toMatchObject({ cases: 4, lift: { without: { cases: 2 } } })
  })

  test('of selected cases runs only these; without any it is refused', async () => {
    const skill = await makeSkill(service, 'chosen')
    expect((await service.call('POST', `/v1/skills/${skill.id}/evaluate`)).status).toBe(409)
    const { json } = await addCases(service, skill.id, [
      { inputs: { invoice: text }, response: answer },
      { inputs: { invoice: text }, response: {} },
    ])
    const evaluation = await evaluated(service, skill.id, { case_ids: [json[1].id] })
    expect(evaluation.report).toMatchObject({ cases: 1, arms: { with: { agreed: 0, fields: 3 } } })
    expect(evaluation.runs).toBe(2)
    const unknown = await service.call('POST', `/v1/skills/${skill.id}/evaluate`, { body: { case_ids: ['evals-7'] } })
    expect(unknown.json.detail[0].loc).toEqual(['body', 'case_ids', 0])
  })

  test('counts a failed run as an empty answer', async () => {
    const skill = await makeSkill(service, 'failing')
    const gone = await service.upload(Buffer.from(text), 'invoice.txt')
    const file = { type: 'input_file', file_id: gone.id }
    expect((await addCases(service, skill.id, [{ inputs: { invoice: file }, response: answer }])).status).toBe(201)
    await service.call('DELETE', `/v1/files/${gone.id}`)
    const { report } = await evaluated(service, skill.id)
    expect(report.arms.with).toMatchObject({ completed: 0, failed: 1, agreed: 0, fields: 3 })
    expect(report.results[0].runs.with).toMatchObject({ execution_id: null, error: 'unknown_file' })
  })

  // Three processes start, one of which takes over what another had.
  test('continues after its worker was killed: each run once, and none twice', { timeout: 240_000 }, async () => {
    await using database = await makeDatabase()
    await using cluster = await openCluster(database.address)
    const api = await cluster.start('api')
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' }
      const response = await fetch(api.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return response.json() as Promise<Story>
    }
    const prompt = { prompt: 'Read the invoice.', json_schema: invoiceSchema, name: 'resumed' }
    const { id } = await call('POST', '/v1/skills/create', prompt)
    const cases = Array.from({ length: 6 }, () => ({ inputs: { invoice: text }, response: answer }))
    await call('POST', `/v1/skills/${id}/cases`, { cases })
    const begun = await call('POST', `/v1/skills/${id}/evaluate`)
    const doomed = await cluster.start('worker')
    const runs = () => call('GET', '/v1/agent/executions?purpose=evaluation&limit=100') as unknown as Promise<Story[]>
    while ((await runs()).every(({ status }) => status !== 'completed')) await new Promise(setImmediate)
    await doomed.kill()
    await cluster.start('worker')
    let evaluation = begun
    while (evaluation.status === 'running') {
      evaluation = await call('GET', `/v1/skills/${id}/evaluations/${begun.id}`)
      await lookAgain()
    }
    expect(evaluation).toMatchObject({
      status: 'completed',
      report: { cases: 6, arms: { with: { completed: 6, agreement: 1 }, without: { completed: 6 } } },
    })
    const all = await runs()
    expect(all).toHaveLength(12)
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'completed'))
  })
})

interface Story {
  readonly id: string
  readonly status: string
}

describe('a publish gate', () => {
  const gated = (name: string, gate: string, more: Record<string, string> = {}) =>
    bundle(name, { 'skill.yaml': `publish_gate: ${gate}\n`, ...more })
  const latestOf = async (name: string) =>
    (await service.call('POST', '/v1/skills/lookup', { body: { name, skill_version: 'latest' } })).json.id

  test('keeps latest until an evaluation passes it', async () => {
    const first = await makeSkill(service, 'gated')
    await addCases(service, first.id, [{ inputs: { invoice: text }, response: answer }])
    const second = await makeSkill(service, 'gated', gated('gated', '1.0', { 'references/a.md': 'A' }))
    expect(await latestOf('gated')).toBe(first.id)
    const { report } = await evaluated(service, second.id)
    expect(report.gate).toEqual({ passed: true, because: null })
    expect(await latestOf('gated')).toBe(second.id)
  })

  test('of the latest version holds back later versions without one, also from a prompt, and is removed when such a version passes', async () => {
    const first = await makeSkill(service, 'standing', gated('standing', '0.9'))
    await addCases(service, first.id, [{ inputs: { invoice: text }, response: answer }])
    const fromPrompt = async (schema: object) => {
      const body = { prompt: 'Read the invoice.', json_schema: schema, name: 'standing', description: 'Reads.' }
      return (await service.call('POST', '/v1/skills/create', { body })).json
    }
    const narrow = await fromPrompt(narrowSchema)
    expect(narrow).toMatchObject({ number: 2, is_held: true, is_latest: false })
    expect((await evaluated(service, narrow.id)).report.gate).toMatchObject({ passed: false })
    expect(await latestOf('standing')).toBe(first.id)
    const whole = await fromPrompt(invoiceSchema)
    expect((await evaluated(service, whole.id)).report.gate).toMatchObject({ passed: true })
    expect(await latestOf('standing')).toBe(whole.id)
    expect(await fromPrompt(narrowSchema)).toMatchObject({ is_held: false, is_latest: true })
  })

  test('is not passed on selected cases', async () => {
    const first = await makeSkill(service, 'choosy')
    const { json } = await addCases(service, first.id, [
      { inputs: { invoice: text }, response: answer },
      { inputs: { invoice: text }, response: { ...answer, total: 1 } },
    ])
    const second = await makeSkill(service, 'choosy', gated('choosy', '{agreement: 1, no_worse: false}'))
    const { report } = await evaluated(service, second.id, { case_ids: [json[0].id] })
    expect(report.gate).toMatchObject({ passed: false, because: expect.stringContaining('1 of them') })
    expect(await latestOf('choosy')).toBe(first.id)
  })

  test.each([
    { name: 'all-null', right: { invoice_number: null, invoice_date: null, total: null } },
    { name: 'all-absent', right: {} },
  ])('is not passed by failed runs, even if nothing is the right answer: $name', async ({ name, right }) => {
    const first = await makeSkill(service, name)
    await addCases(service, first.id, [{ inputs: { invoice: 'Good morning.' }, response: right }])
    const settings = { 'skill.yaml': 'publish_gate: {agreement: 0.1, no_worse: false}\nmodel: never-made\n' }
    const second = await makeSkill(service, name, bundle(name, settings))
    const { report } = await evaluated(service, second.id)
    expect(report.arms.with).toMatchObject({ completed: 0, failed: 1, agreed: 0, agreement: 0 })
    expect(report.gate).toMatchObject({ passed: false })
    expect(await latestOf(name)).toBe(first.id)
  })

  test('rejects too little agreement, too few cases, and less agreement than the previous version', async () => {
    const first = await makeSkill(service, 'kept-back')
    await addCases(service, first.id, [{ inputs: { invoice: text }, response: answer }])
    const narrow = { 'schema.json': JSON.stringify(narrowSchema) }
    for (const [gate, more, because] of [
      ['0.9', narrow, 'The gate requires an agreement of 0.9; it was 0.3333'],
      ['{agreement: 0, cases: 2}', {}, 'The gate requires 2 cases; the evaluation had 1'],
    ] as const) {
      const version = await makeSkill(service, 'kept-back', gated('kept-back', gate, more))
      const { report } = await evaluated(service, version.id)
      expect(report.gate).toEqual({ passed: false, because })
      expect(await latestOf('kept-back')).toBe(first.id)
    }
    // A version that is better than the previous one passes with answers that would not be enough for another.
    const worse = await makeSkill(service, 'kept-back', gated('kept-back', '{agreement: 0.2}', narrow))
    const { report } = await evaluated(service, worse.id)
    expect(report.gate).toMatchObject({
      passed: false,
      because: expect.stringContaining('The previous version had an agreement of 1'),
    })
    expect(await latestOf('kept-back')).toBe(first.id)
  })

  test('compares with the last version that it let through, not with one that it held back', async () => {
    const first = await makeSkill(service, 'twice-worse')
    await addCases(service, first.id, [{ inputs: { invoice: text }, response: answer }])
    const narrow = gated('twice-worse', '{agreement: 0.2}', { 'schema.json': JSON.stringify(narrowSchema) })
    for (const _ of [2, 3]) {
      const version = await makeSkill(service, 'twice-worse', narrow)
      const evaluation = await evaluated(service, version.id)
      expect(evaluation.before).toEqual({ skill_id: first.id, number: 1 })
      expect(evaluation.report.gate).toMatchObject({ passed: false })
      expect(await latestOf('twice-worse')).toBe(first.id)
    }
  })

  test('is not passed because a provider failed the runs of the previous version', async () => {
    const isOld = ({ text }: { text: string }) => text.includes('Reads invoices of old.')
    const script = (request: { text: string }) =>
      isOld(request) ? { status: 400, body: {} } : { text: JSON.stringify(answer) }
    await using model = await startMockModel({ script })
    await using own = await openTestService({
      config: {
        providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
        file: { routes: { 'svc-agent-1:auto': 'mine/one' } },
      },
    })
    const make = async (description: string, files: Record<string, string>) => {
      const { id } = await own.upload(zipOf(files), 'moved.zip')
      const body = { file_id: id, name: 'moved', description }
      return (await own.call('POST', '/v1/skills/create', { body })).json.id
    }
    const first = await make('Reads invoices of old.', bundle('moved'))
    await addCases(own, first, [{ inputs: { invoice: text }, response: answer }])
    const second = await make('Reads invoices.', gated('moved', '0.9'))
    const { report } = await evaluated(own, second)
    expect(report.arms).toMatchObject({ with: { agreement: 1 }, before: { failed: 1, agreement: 0 } })
    expect(report.gate).toMatchObject({ passed: false, because: expect.stringContaining('evaluate again') })
    expect((await own.call('GET', `/v1/skills/${second}`)).json).toMatchObject({ is_latest: false })
  })
})

test('an agent cannot read the answers of the cases in the bundle of its skill, or it would be evaluated by them', async () => {
  const read = (path?: string) => ({ name: 'skills_read', input: path === undefined ? {} : { path } })
  await using model = await startMockModel({
    script: ({ results }) =>
      results.length === 0
        ? { toolCalls: [read(), read('evals/evals.json'), read('references/words.md')] }
        : { text: JSON.stringify({ ...answer, total: results.join().includes('144') ? 144 : 1 }) },
  })
  await using at = await openTestService({ file: fileOfSmallModel(model.baseUrl) })
  const files = { 'evals/evals.json': JSON.stringify([{ inputs: { note: 'Pay soon.' }, response: answer }]) }
  const skill = await makeSkill(at, 'leaking', bundle('leaking', { ...files, 'references/words.md': 'Words.' }))
  const { report } = await evaluated(at, skill.id, { model: 'svc-agent-1:fast' })
  expect(report.results[0].runs.with.disagreements).toMatchObject([{ pointer: '/total', actual: 1 }])
  const results = model.requests.map((request) => request.results.join('\n'))
  const withSkill = results.find((one) => one.includes('Words.'))
  expect(withSkill).toContain('references/words.md')
  expect(withSkill).toContain('its files are: SKILL.md, references/words.md, schema.json')
})
