import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Place, skillrun } from '../packages/cli/src/command-line.ts'
import { makeDatabase } from './support/database.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { until } from './support/until.ts'
import { zipOf } from './support/zips.ts'

/** Instructions that the model proposes, one after the other. */
let proposed: string[]
let answered: (request: MockRequest) => MockTurn | Promise<MockTurn> | undefined

const usage = { inputTokens: 100, outputTokens: 10 }
const isWriting = ({ text }: MockRequest) => text.includes('Improve the instructions of a skill')
/** A number from 0 to 99 that a text always gets. */
const draw = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() % 100

/** Follows the instructions: "Quality 70" gets 70 of 100 orders right. */
function script(request: MockRequest): MockTurn | Promise<MockTurn> {
  const given = answered(request)
  if (given) return given
  if (isWriting(request)) {
    const instructions = proposed.shift() ?? 'Quality 50. Read it once more.'
    return { text: JSON.stringify({ instructions, summary: `Changed to: ${instructions}` }), usage }
  }
  if (request.results.length === 0) return { toolCalls: [{ name: 'skills_read', input: {} }], usage }
  const [, quality = '0'] = /Quality (\d+)/.exec(request.results.join()) ?? []
  const [, order = ''] = /This is order (\w+)/.exec(request.text) ?? []
  return { text: JSON.stringify({ order: draw(order) < Number(quality) ? order : 'wrong' }), usage }
}

const model = await opened(startMockModel({ script }))
const service = await opened(openTestService({ file: fileOfSmallModel(model.baseUrl) }))
beforeEach(() => {
  proposed = []
  answered = () => undefined
})

const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }
let made = 0
/** A skill with cases whose orders its instructions get wrong, but for those that `isEasy` takes. */
async function makeSkill(
  quality: number,
  orders: readonly string[],
  at = service,
): Promise<{ id: string; name: string }> {
  const name = `orders-${made++}`
  const body = { name, description: 'Reads orders.', prompt: `Quality ${quality}.`, json_schema: schema }
  const skill = await at.call('POST', '/v1/skills/create', { body })
  expect(skill.status, JSON.stringify(skill.json)).toBe(201)
  const cases = orders.map((order) => ({ inputs: { text: `This is order ${order}` }, response: { order } }))
  if (cases.length > 0)
    expect((await at.call('POST', `/v1/skills/${skill.json.id}/cases`, { body: { cases } })).status).toBe(201)
  return skill.json
}
/** Orders that are wrong below this quality. */
const hard = (count: number, from = 60) => {
  const found: string[] = []
  for (let n = 0; found.length < count; n++) if (draw(`A${made}x${n}`) >= from) found.push(`A${made}x${n}`)
  return found
}

const improve = (id: string, body: object = {}, at = service) =>
  at.call('POST', `/v1/skills/${id}/improve`, { body: { model: 'svc-agent-1:fast', ...body } })
const ended = (id: string, improvementId: string, at = service): Promise<Answer['json']> =>
  until(async () => {
    const { json } = await at.call('GET', `/v1/skills/${id}/improvements/${improvementId}`)
    return json.status === 'running' ? undefined : json
  })
async function improved(id: string, body: object = {}, at = service): Promise<Answer['json']> {
  const { status, json } = await improve(id, body, at)
  expect(status, JSON.stringify(json)).toBe(201)
  return ended(id, json.id, at)
}
const latest = async (name: string) => (await service.call('POST', '/v1/skills/lookup', { body: { name } })).json

describe('an improvement', () => {
  test('publishes the best proposal that is better on cases which the model never saw, and none of those that are not', async () => {
    const orders = hard(40)
    const skill = await makeSkill(60, orders)
    proposed = ['Quality 20.', 'Quality 60.', 'Quality 60. Look twice.', 'Quality 100.', 'Quality 0.']
    const seen = model.requests.length
    const report = await improved(skill.id, { proposals: 5 })
    expect(report).toMatchObject({
      status: 'completed',
      error: null,
      outcome: { code: 'published' },
      proposals: [
        { number: 1, instructions: 'Quality 20.', summary: 'Changed to: Quality 20.', verdict: 'undecided' },
        { number: 2, verdict: 'duplicate', lift: null, results: [] },
        { number: 3, verdict: 'undecided', lift: { mean: 0 } },
        { number: 4, verdict: 'better', before: { agreement: 0 }, after: { agreement: 1 }, lift: { mean: 1 } },
        { number: 5, verdict: 'undecided' },
      ],
    })
    expect(report.proposals[3].lift.lower).toBeGreaterThan(0)
    expect(report.proposals[3].results).toHaveLength(report.cases.judging)
    const now = await latest(skill.name)
    expect(now).toMatchObject({ id: report.published_skill_id, number: 2, is_latest: true })
    const versions = (await service.call('GET', `/v1/skills/${skill.id}/versions`)).json
    expect(versions).toHaveLength(2)
    // The model saw mistakes of one half of the cases, and nothing of the other half.
    const judging = new Set(report.proposals[3].results.map((one: Answer['json']) => one.case_id))
    const cases = (await service.call('GET', `/v1/skills/${skill.id}/cases`)).json
    const writings = model.requests.slice(seen).filter(isWriting)
    expect(writings).toHaveLength(5)
    for (const one of cases) {
      const isShown = writings.some(({ text }) => new RegExp(`\\b${one.response.order}\\b`).test(text))
      if (judging.has(one.id)) expect(isShown, 'a case for judging').toBe(false)
    }
    expect(writings[0]?.text).toContain(cases.find((one: Answer['json']) => !judging.has(one.id)).response.order)
    // Its runs are those of an evaluation, and cost what the report says.
    const runs = (await service.call('GET', '/v1/agent/executions?purpose=evaluation&limit=100')).json
    expect(runs.length).toBeGreaterThan(50)
    expect(report.cost_dollars).toBeGreaterThan(0)
    expect(report.cost_dollars).toBeLessThanOrEqual(report.max_cost_dollars)
    expect(report.progress.ended).toBeLessThanOrEqual(report.progress.runs)
    expect((await service.call('GET', `/v1/skills/${skill.id}/improvements`)).json).toEqual([report])
  })

  test('publishes nothing when every proposal is worse or as good, and keeps them with their figures', async () => {
    const orders = hard(40)
    const skill = await makeSkill(80, orders)
    proposed = ['Quality 60.', 'Quality 0.']
    const report = await improved(skill.id, { proposals: 2 })
    expect(report).toMatchObject({ status: 'completed', published_skill_id: null })
    expect(['nothing_better', 'cannot_decide']).toContain(report.outcome.code)
    expect((await latest(skill.name)).id).toBe(skill.id)
    for (const { verdict } of report.proposals) expect(verdict).not.toBe('better')
  })

  test('ends without a proposal when no case to learn from fails, or when too few to judge by do', async () => {
    const seen = model.requests.length
    const right = await makeSkill(100, hard(28))
    expect(await improved(right.id)).toMatchObject({
      status: 'completed',
      outcome: { code: 'nothing_to_improve' },
      proposals: [],
    })
    expect(model.requests.slice(seen).filter(isWriting)).toEqual([])
    // Three orders of forty are wrong.
    const easy = hard(37, 60).map((order) => order)
    const nearly = await makeSkill(100, easy)
    answered = ({ text }) => {
      const [, order = ''] = /This is order (\w+)/.exec(text) ?? []
      return easy.indexOf(order) % 12 === 0 && !text.includes('Improve the')
        ? { text: JSON.stringify({ order: 'wrong' }), usage }
        : undefined
    }
    const report = await improved(nearly.id)
    expect(['nothing_to_improve', 'cannot_decide']).toContain(report.outcome.code)
    expect(report.proposals).toEqual([])
  })

  test('learns from corrected answers as well', async () => {
    const orders = hard(30)
    const skill = await makeSkill(60, [])
    for (const order of orders) {
      const run = await service.call('POST', '/v1/agent/execute', {
        body: {
          batch: false,
          model: 'svc-agent-1:fast',
          inputs: { text: `This is order ${order}` },
          config: { skills: [{ skill_id: skill.id }] },
        },
      })
      expect(run.json, JSON.stringify(run.json)).toMatchObject({ status: 'completed', response: { order: 'wrong' } })
      const changes = [{ path: '/order', value: order }]
      const review = await service.call('POST', `/v1/agent/executions/${run.json.id}/review`, {
        body: { changes, done: true },
      })
      expect(review.status, JSON.stringify(review.json)).toBe(200)
    }
    proposed = ['Quality 100.']
    const report = await improved(skill.id, { proposals: 1 })
    expect(report).toMatchObject({ outcome: { code: 'published' }, proposals: [{ verdict: 'better' }] })
    expect(report.cases.training + report.cases.judging).toBe(30)
  })

  test('is bounded in dollars: it ends instead of spending more, and publishes nothing that was cut short', async () => {
    const skill = await makeSkill(60, hard(28))
    proposed = ['Quality 100.']
    const tight = await improved(skill.id, { proposals: 1, max_cost_dollars: 0.002 })
    expect(tight).toMatchObject({ status: 'failed', error: { code: 'budget_too_small' }, published_skill_id: null })
    expect(tight.cost_dollars).toBeLessThanOrEqual(0.002)
    const refused = await improve(skill.id, { max_cost_dollars: 0 })
    expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringMatching(/^max_cost_dollars: /) } })
  })

  test('fails with the reason when the daily budget of its key is spent, which a larger max_cost_dollars would not change', async () => {
    const skill = await makeSkill(60, hard(28))
    const spent = await service.call('POST', '/v1/keys', { body: { budget_dollars_per_day: 0.02 } })
    const body = { model: 'svc-agent-1:fast', proposals: 1 }
    const begun = await service.call('POST', `/v1/skills/${skill.id}/improve`, { body, key: spent.json.key })
    expect(begun.status, JSON.stringify(begun.json)).toBe(201)
    expect(await ended(skill.id, begun.json.id)).toMatchObject({
      ...{ status: 'failed', published_skill_id: null },
      error: { code: 'budget_spent', message: expect.stringContaining('on another day (UTC)') },
    })
  })

  test('waits for a run that a person paused, until it is resumed', async () => {
    const skill = await makeSkill(60, hard(28))
    proposed = ['Quality 100.']
    const held = Promise.withResolvers<MockTurn>()
    let runs = 0
    answered = () => {
      runs += 1
      return runs <= 2 ? held.promise : undefined
    }
    const begun = await improve(skill.id, { proposals: 1 })
    const unended = async () => {
      const { json } = await service.call('GET', '/v1/agent/executions?purpose=evaluation&limit=200')
      return json.filter((one: Answer['json']) => one.completed_at === null)
    }
    await expect.poll(async () => (await unended()).length, { timeout: 30_000 }).toBe(2)
    const [run] = await unended()
    expect((await service.call('POST', `/v1/agent/executions/${run.id}/pause`)).status).toBe(200)
    held.resolve({ text: '{}', usage })
    await expect.poll(async () => (await unended()).length, { timeout: 60_000 }).toBe(1)
    const jobs = "select 1 from pgboss.job where name = 'evaluation' and state in ('created', 'retry', 'active')"
    await expect.poll(() => service.database.db.query(jobs), { timeout: 60_000 }).toEqual([])
    expect((await service.call('POST', `/v1/agent/executions/${run.id}/resume`)).status).toBe(200)
    expect(await ended(skill.id, begun.json.id)).toMatchObject({ outcome: { code: 'published' } })
  })

  test('can be cancelled: its runs end, nothing is published, and another one may start', async () => {
    const skill = await makeSkill(60, hard(40))
    const begun = await improve(skill.id)
    expect(await improve(skill.id)).toMatchObject({
      status: 409,
      json: { detail: expect.stringMatching(/being improved already/) },
    })
    const path = `/v1/skills/${skill.id}/improvements/${begun.json.id}`
    const cancelled = await service.call('POST', `${path}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, json: { status: 'cancelled', published_skill_id: null } })
    expect((await service.call('POST', `${path}/cancel`)).status).toBe(200)
    await expect
      .poll(async () => {
        const { json } = await service.call('GET', '/v1/agent/executions?purpose=evaluation&limit=200')
        return json.filter((one: Answer['json']) => one.completed_at === null)
      })
      .toEqual([])
    expect((await latest(skill.name)).id).toBe(skill.id)
    proposed = ['Quality 100.']
    expect(await improved(skill.id, { proposals: 1 })).toMatchObject({ outcome: { code: 'published' } })
    expect(await service.call('POST', `${path.replace(begun.json.id, skill.id)}/cancel`)).toMatchObject({ status: 404 })
  })

  test('does not publish over a version that was created meanwhile', async () => {
    const skill = await makeSkill(60, hard(28))
    proposed = ['Quality 100.']
    let changing: Promise<unknown> | undefined
    answered = (request) => {
      if (isWriting(request))
        changing ??= service.call('POST', `/v1/skills/${skill.id}/update`, { body: { prompt: 'Quality 61.' } })
      return undefined
    }
    const report = await improved(skill.id, { proposals: 1 })
    await changing
    expect(report).toMatchObject({ outcome: { code: 'superseded' }, proposals: [{ verdict: 'better' }] })
    expect(await latest(skill.name)).toMatchObject({ number: 2, is_latest: true })
  })

  test('of a skill with a gate leaves the version on hold for its evaluation', async () => {
    const orders = hard(28)
    const file = await service.upload(
      zipOf({
        'SKILL.md': '---\nname: gated\ndescription: Reads orders.\n---\n\nQuality 60.\n',
        'schema.json': JSON.stringify(schema),
        'skill.yaml': 'publish_gate: 0.9\n',
      }),
      'gated.zip',
    )
    const body = { file_id: file.id, name: 'gated', description: 'Reads orders.' }
    const { json: skill } = await service.call('POST', '/v1/skills/create', { body })
    const cases = orders.map((order) => ({ inputs: { text: `This is order ${order}` }, response: { order } }))
    await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })
    proposed = ['Quality 100.']
    const report = await improved(skill.id, { proposals: 1 })
    expect(report).toMatchObject({ outcome: { code: 'held' }, proposals: [{ verdict: 'better' }] })
    expect(await latest('gated')).toMatchObject({ id: skill.id })
    const { json: waiting } = await service.call('GET', `/v1/skills/${report.published_skill_id}`)
    expect(waiting).toMatchObject({ number: 2, is_held: true, is_latest: false })
  })
})

test('an evaluation whose runs all stop at their cost limit fails and says so, instead of reporting that every answer was wrong', async () => {
  const skill = await makeSkill(100, hard(2))
  const body = { model: 'svc-agent-1:fast', max_cost_dollars: 0.00001 }
  const { status, json } = await service.call('POST', `/v1/skills/${skill.id}/evaluate`, { body })
  expect(status, JSON.stringify(json)).toBe(201)
  const report = await until(async () => {
    const { json: now } = await service.call('GET', `/v1/skills/${skill.id}/evaluations/${json.id}`)
    return now.status === 'running' ? undefined : now
  })
  expect(report).toMatchObject({
    ...{ status: 'failed', report: null },
    error: { code: 'budget_too_small', message: expect.stringMatching(/its limit of 0\.00001 dollars/) },
  })
})

test('an improvement whose model is exchanged while it runs fails, because results of two models cannot be compared', async () => {
  await using database = await makeDatabase()
  const file = fileOfSmallModel(model.baseUrl)
  const begun = await (async () => {
    // Without a worker: the improvement waits.
    await using api = await openTestService({ database, file, env: { SKILLRUN_ROLE: 'api' } })
    const skill = await makeSkill(60, hard(28), api)
    const { status, json } = await improve(skill.id, { proposals: 1 }, api)
    expect(status, JSON.stringify(json)).toBe(201)
    return { skillId: skill.id, id: json.id }
  })()
  const facts = file.models?.['mine/small']
  const models = { ...file.models, ...(facts && { 'mine/other': facts }) }
  const routes = { 'svc-agent-1:fast': 'mine/other' }
  await using second = await openTestService({ database, file: { ...file, models, routes } })
  expect(await ended(begun.skillId, begun.id, second)).toMatchObject({
    ...{ status: 'failed', published_skill_id: null },
    error: { code: 'model_changed' },
  })
})

test('a published version is compared again, once, when another model answers its route', async () => {
  await using database = await makeDatabase()
  const skill = await (async () => {
    await using first = await openTestService({ database, file: fileOfSmallModel(model.baseUrl) })
    const skill = await makeSkill(60, hard(28), first)
    proposed = ['Quality 100.']
    const report = await improved(skill.id, { proposals: 1 }, first)
    expect(report).toMatchObject({ outcome: { code: 'published' }, answered_by: 'mine/small', compared_again: null })
    return { ...skill, improvementId: report.id, publishedId: report.published_skill_id }
  })()
  const reportAt = async (at: TestService) =>
    (await at.call('GET', `/v1/skills/${skill.id}/improvements/${skill.improvementId}`)).json
  {
    await using same = await openTestService({ database, file: fileOfSmallModel(model.baseUrl) })
    expect(await reportAt(same)).toMatchObject({ compared_again: null })
  }
  const file = fileOfSmallModel(model.baseUrl)
  const facts = file.models?.['mine/small']
  const changed = {
    ...file,
    models: { ...file.models, ...(facts && { 'mine/other': facts }) },
    routes: { 'svc-agent-1:fast': 'mine/other' },
  }
  await using second = await openTestService({ database, file: changed })
  await using third = await openTestService({ database, file: changed })
  await expect.poll(async () => (await reportAt(third)).compared_again, { timeout: 60_000 }).not.toBeNull()
  const { compared_again: again } = await reportAt(third)
  expect(again.answered_by).toBe('mine/other')
  const evaluation = async () =>
    (await second.call('GET', `/v1/skills/${skill.publishedId}/evaluations/${again.evaluation_id}`)).json
  await expect.poll(async () => (await evaluation()).status, { timeout: 60_000 }).toBe('completed')
  expect(await evaluation()).toMatchObject({
    skill_id: skill.publishedId,
    before: { skill_id: skill.id },
    model: 'svc-agent-1:fast',
    // The files of the skill went with the first server, so that the figures are not those of the instructions.
    report: { cases: 28 },
  })
  expect((await second.call('GET', `/v1/skills/${skill.id}/evaluations`)).json).toHaveLength(1)
}, 240_000)

describe('skillrun', () => {
  test('improves a skill, shows and lists the report, and stops an improvement', async () => {
    const place: Place = { folder: '.', environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
    const skill = await makeSkill(60, hard(28))
    proposed = ['Quality 100.']
    const model = ['--model', 'svc-agent-1:fast']
    const first = await skillrun(
      ['skills', 'improve', skill.name, '--proposals', '1', '--max-cost', '2.5', ...model],
      place,
    )
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(
      /^Version 1: completed, \$0\.0\d+ of \$2\.50?, \d+ cases to learn from and \d+ to judge by$/m,
    )
    expect(first.stdout).toMatch(
      /^1 +better +0(\.0)? % +100(\.0)? % +\+100\.0 \(\+\d+\.\d to \+100\.0\) +Changed to: Quality 100\.$/m,
    )
    // Everything is right by now.
    const second = await skillrun(['skills', 'improve', skill.name, ...model], place)
    expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('there is nothing to improve') })
    const listed = await skillrun(['skills', 'improvements', skill.name], place)
    expect(listed.stdout).toMatch(/ 2 +completed .* nothing_to_improve /)
    const [, id = ''] = /^(\S{36}) +1 +completed .* published /m.exec(listed.stdout) ?? []
    expect((await skillrun(['skills', 'improvements', skill.name, id], place)).stdout).toBe(first.stdout)
    const stopped = await skillrun(['skills', 'stop-improving', skill.name, id], place)
    expect(stopped).toMatchObject({ stderr: expect.stringContaining('only a running one can be cancelled') })
    const wrong = await skillrun(['skills', 'improve', skill.name, '--max-cost', 'much'], place)
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('an amount in dollars') })
  })
})

describe('an improvement is refused', () => {
  const refusal = async (skill: { id: string }, body?: object) => {
    const { status, json } = await improve(skill.id, body)
    return { status, detail: String(json.detail) }
  }

  test('without cases, with too few (it says how many are needed), and for an unknown or old version', async () => {
    expect(await refusal(await makeSkill(60, []))).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/no cases or corrections/),
    })
    const few = await refusal(await makeSkill(60, hard(6)))
    expect(few.status).toBe(409)
    expect(few.detail).toMatch(/3 proposals need at least 10 to judge by and 1 to learn from: add about \d+ cases/)
    const one = await refusal(await makeSkill(60, hard(2)), { proposals: 1 })
    expect(one.detail).toMatch(/\. 1 proposal needs at least \d+ to judge by and 1 to learn from: add about \d+ cases$/)
    expect(await refusal({ id: '01920000-0000-7000-8000-000000000000' })).toMatchObject({ status: 404 })
    const old = await makeSkill(60, hard(40))
    await service.call('POST', `/v1/skills/${old.id}/update`, { body: { prompt: 'Quality 70.' } })
    expect(await refusal(old)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^Only the latest version/),
    })
  })

  test('without a language model, and with values out of bounds', async () => {
    await using bare = await openTestService()
    const body = { name: 'bare', description: 'Reads.', prompt: 'Read it.', json_schema: schema }
    const { json: skill } = await bare.call('POST', '/v1/skills/create', { body })
    expect(await bare.call('POST', `/v1/skills/${skill.id}/improve`)).toMatchObject({
      status: 400,
      json: { detail: expect.stringMatching(/^A language model has to write the proposals/) },
    })
    const good = await makeSkill(60, hard(40))
    for (const wrong of [{ proposals: 0 }, { proposals: 21 }, { max_cost_dollars: -1 }, { model: 'nothing' }])
      expect((await improve(good.id, wrong)).status, JSON.stringify(wrong)).toBe(422)
  })
})
