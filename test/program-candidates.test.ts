import { describe, expect, test } from 'vitest'
import { type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { until } from './support/until.ts'
import { zipOf } from './support/zips.ts'

/** What the model writes in the current test. */
let writes: string

/** 1,000 tokens at 2 dollars and 100 at 12 dollars per million. */
const agentDollars = 0.0032

const fileWith = (programs: { shadow_share?: number }) => ({ ...fileOfSmallModel(model.baseUrl), programs })

const model = await opened(
  startMockModel({
    script: (): MockTurn => ({
      text: `\`\`\`ts\n${writes}\n\`\`\``,
      usage: { inputTokens: 1_000, outputTokens: 100 },
    }),
  }),
)
const service = await opened(openTestService({ file: fileWith({ shadow_share: 0 }) }))

const schema = {
  type: 'object',
  properties: { reference: { type: 'string' }, weight: { type: 'number' } },
  required: ['reference', 'weight'],
}
const slip = (n: number) => `Weighing slip\nReference: WS-${7100 + n}\nNet weight: ${1200 + n}.5 kg\n`
const answerOf = (n: number) => ({ reference: `WS-${7100 + n}`, weight: 1200 + n + 0.5 })

const programOf = (body: string): string => `export default async function run(tools: Tools, inputs: Inputs) {
  const { pages } = await tools.document.read({ input: 'slip', pages: [1] })
  const text: string = pages.flatMap((page: any) => page.lines.map((line: any) => line.text)).join('\\n')
  ${body}
}`
const reader = programOf(`return {
    reference: /Reference:\\s+(\\S+)/.exec(text)?.[1],
    weight: Number(/Net weight:\\s+(\\S+)/.exec(text)?.[1]),
  }`)

async function makeSkill(name: string, at = service): Promise<string> {
  const made = { name, description: 'Reads weighing slips', prompt: 'Read the weighing slip', json_schema: schema }
  return (await at.call('POST', '/v1/skills/create', { body: made })).json.id
}

async function execute(
  skill: string,
  n: number,
  { mode = 'program', at = service }: { mode?: 'agent' | 'program'; at?: TestService } = {},
): Promise<Answer['json']> {
  return at.execute({
    model: 'svc-agent-2:fast',
    inputs: { slip: { type: 'text', text: slip(n) } },
    config: { execution_mode: mode, skills: [{ skill_id: skill }] },
  })
}

/** The newest program of a skill after its gate. */
async function decided(skill: string, at = service): Promise<Answer['json']> {
  return until(async () => {
    const [program] = (await at.call('GET', `/v1/skills/${skill}/programs`)).json
    return program && program.status !== 'candidate' && program.status !== 'compiling' ? program : undefined
  })
}

describe('the final program of a code agent', () => {
  test('is kept, verified from scratch, and serves the next request without the model: its savings are reported', async () => {
    const skill = await makeSkill('slips')
    writes = reader
    const first = await execute(skill, 1)
    expect(first).toMatchObject({ status: 'completed', execution_mode: 'agent', response: answerOf(1) })
    expect(first.usage.message).toBe('Ran as agent: there is no program for these skills and this schema')
    const program = await decided(skill)
    expect(program, JSON.stringify(program.gate)).toMatchObject({
      status: 'ready',
      origin: 'agent',
      execution_id: first.id,
      source: `${reader}\n`,
      economics: { compile_cost_dollars: agentDollars, agent_run_dollars: agentDollars, break_even_runs: 1 },
    })

    const before = model.requests.length
    const served = await execute(skill, 2)
    expect(served).toMatchObject({
      status: 'completed',
      execution_mode: 'program',
      response: answerOf(2),
      program: { id: program.id, sha256: program.sha256 },
      usage: { standard_cost_dollars: 0 },
      evidence: { '/reference': { status: 'verified' }, '/weight': { quote: expect.stringContaining('1202.5') } },
    })
    expect(model.requests.length).toBe(before)
    await execute(skill, 3)
    const { json: after } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
    expect(after).toMatchObject({
      runs: 2,
      economics: { program_run_dollars: 0, saved_dollars: expect.closeTo(agentDollars, 9) },
    })
  })

  test('saves what its runs would have cost, minus its shadow runs, which are agents in the flex tier', async () => {
    await using shadowed = await openTestService({ file: fileWith({}) })
    const skill = await makeSkill('shadowed', shadowed)
    writes = reader
    await execute(skill, 1, { at: shadowed })
    expect((await decided(skill, shadowed)).status).toBe('ready')
    await execute(skill, 2, { at: shadowed })
    await execute(skill, 3, { at: shadowed })
    const look = () => decided(skill, shadowed)
    await expect.poll(async () => (await look()).shadow.runs, { timeout: 20_000 }).toBe(2)
    // Two runs, minus the run that it was written in, minus two shadow runs at half price.
    expect((await look()).economics).toMatchObject({
      agent_run_dollars: agentDollars,
      saved_dollars: expect.closeTo(0, 9),
    })
    // The model that wrote it agrees with it twice: that certifies nothing.
    expect((await look()).shadow).toMatchObject({
      bound: 1,
      judgements: expect.arrayContaining([{ by: 'same_engine', answers: 2, wrong: 0, counts: false }]),
    })
  })

  test('that the embedded engine wrote rests on what a language model says of its answers', async () => {
    await using at = await openTestService({ file: fileWith({ shadow_share: 1 }) })
    const skill = await makeSkill('learned', at)
    const cases = [21, 22, 23, 24, 25, 26].map((n) => ({
      inputs: { slip: { type: 'text', text: slip(n) } },
      response: answerOf(n),
    }))
    await at.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })
    await at.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
    expect(await decided(skill, at)).toMatchObject({ status: 'ready', origin: 'embedded' })
    writes = reader
    expect(await execute(skill, 31, { at })).toMatchObject({ execution_mode: 'program', response: answerOf(31) })
    const look = async () => (await decided(skill, at)).shadow
    await expect.poll(async () => (await look()).runs, { timeout: 20_000 }).toBe(1)
    const shadow = await look()
    expect(shadow.judgements).toContainEqual({ by: 'other_model', answers: 1, wrong: 0, counts: true })
    expect(shadow.bound).toBeCloseTo(38 / 39, 6)
    // The other model only passes on what the embedded engine finds.
    writes = programOf(
      `return (await tools.document.extract({ input: 'slip', schema: ${JSON.stringify(schema)} })).answer`,
    )
    expect(await execute(skill, 32, { at })).toMatchObject({ execution_mode: 'program', response: answerOf(32) })
    await expect.poll(async () => (await look()).runs, { timeout: 20_000 }).toBe(2)
    const after = await look()
    expect(after.judgements).toContainEqual({ by: 'other_model', answers: 1, wrong: 0, counts: true })
    expect(after.judgements).toContainEqual({ by: 'same_engine', answers: 1, wrong: 0, counts: false })
    expect(after.bound).toBe(shadow.bound)
  })

  test('new words of a document are familiar once a language model answers the same as the program, and not before', async () => {
    const skill = await makeSkill('goods')
    const slipOf = (n: number, goods: string) => slip(n).replace('Net', `Goods: ${goods}\nNet`)
    const wares = ['rope', 'canvas', 'pulley']
    const cases = Array.from({ length: 9 }, (_, n) => ({
      inputs: { slip: { type: 'text', text: slipOf(n, wares[n % 3] ?? '') } },
      response: answerOf(n),
    }))
    await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })
    await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
    const program = await decided(skill)
    expect(program, JSON.stringify(program.gate)).toMatchObject({ status: 'ready', origin: 'embedded' })
    const ask = async (n: number, goods: string, metadata: object = {}): Promise<Answer['json']> => {
      const { status, json } = await service.call('POST', '/v1/agent/execute', {
        body: {
          ...{ batch: false, model: 'svc-agent-2:fast' },
          inputs: { slip: { type: 'text', text: slipOf(n, goods) } },
          config: { execution_mode: 'program', skills: [{ skill_id: skill }] },
          metadata,
        },
      })
      expect(status, JSON.stringify(json)).toBe(201)
      return json
    }
    const declined = {
      execution_mode: 'agent',
      usage: { message: expect.stringContaining('the document differs from those that the program was tested on') },
    }
    writes = programOf("return { reference: 'WS-1', weight: 1 }")
    expect(await ask(30, 'anchor lantern')).toMatchObject(declined)
    writes = reader
    expect(await ask(31, 'anchor lantern', { allow_training: false })).toMatchObject(declined)
    const first = await ask(32, 'anchor lantern')
    expect(first).toMatchObject({ ...declined, response: answerOf(32) })
    const served = await ask(33, 'lantern anchor')
    expect(served).toMatchObject({ execution_mode: 'program', response: answerOf(33) })
    expect(await ask(34, 'anchor tiller cleat'), 'other words are new').toMatchObject(declined)
    // The answers that nobody got count for nothing, or the bound would rest on right ones only.
    const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
    expect(json).toMatchObject({ status: 'ready', runs: 1, withholds: false, shadow: { runs: 0, disagreements: 0 } })
    for (const one of [first, served]) {
      const replay = await service.call('POST', `/v1/agent/executions/${one.id}/replay`)
      expect(replay, one.execution_mode).toMatchObject({ json: { equal: true } })
    }
  })

  test('is rejected when it contains its answer as a literal, or does not read its input', async () => {
    const skill = await makeSkill('smuggled')
    writes = programOf(`return { reference: 'WS-7105', weight: Number(/weight: (\\S+)/.exec(text)?.[1]) }`)
    expect(await execute(skill, 5)).toMatchObject({ status: 'completed', response: answerOf(5) })
    const literal = await decided(skill)
    expect(literal.status).toBe('rejected')
    expect(literal.reason).toBe('Its source contains values of known answers: /reference')

    const blind = await makeSkill('blind')
    // Composed so that no value is in the text.
    writes = programOf(`return { reference: ['WS', 7000 + 106].join('-'), weight: 1000 + 206 + 1 / 2 }`)
    expect(await execute(blind, 6)).toMatchObject({ status: 'completed', response: answerOf(6) })
    const constant = await decided(blind)
    expect(constant.status).toBe('rejected')
    expect(constant.reason).toBe('Its answer stayed the same when every digit in its input was changed')
  })

  test('is rejected when it disagrees with other cases, with the field that does', async () => {
    const skill = await makeSkill('other-cases')
    const cases = [11, 12, 13].map((n) => ({
      inputs: { slip: { type: 'text', text: slip(n) } },
      response: { reference: `other ${n}`, weight: 5 },
    }))
    expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
    writes = reader
    await execute(skill, 10)
    const program = await decided(skill)
    expect(program.status).toBe('rejected')
    expect(program.reason).toBe(
      'These fields agree in less than 90 % of the cases: /reference in 1 of 4, /weight in 1 of 4',
    )
  })

  test('must agree as far as the skill’s own gate requires, and no further', async () => {
    const file = await service.upload(
      zipOf({
        'SKILL.md': '---\nname: lenient\ndescription: Reads weighing slips\n---\nRead the weighing slip',
        'schema.json': JSON.stringify(schema),
        'skill.yaml': 'publish_gate: 0.5\n',
      }),
      'lenient.zip',
    )
    const { json } = await service.call('POST', '/v1/skills/create', {
      body: { file_id: file.id, name: 'lenient', description: 'Reads weighing slips' },
    })
    const doubtful = { inputs: { slip: { type: 'text', text: slip(31) } }, response: { ...answerOf(31), weight: 5 } }
    await service.call('POST', `/v1/skills/${json.id}/cases`, { body: { cases: [doubtful] } })
    writes = reader
    await execute(json.id, 30)
    expect(await decided(json.id)).toMatchObject({ status: 'ready', gate: { threshold: 0.5 } })
  })

  test('is no candidate without a stored skill', async () => {
    writes = reader
    const inline = {
      inputs: { slip: { type: 'text', text: slip(20) } },
      config: { prompt: 'Read it', json_schema: schema },
    }
    const json = await service.execute({
      model: 'svc-agent-2:fast',
      ...inline,
      config: { ...inline.config, execution_mode: 'program' },
    })
    expect(json).toMatchObject({ status: 'completed', execution_mode: 'agent' })
    expect(json.usage.message).toBe('Ran as agent: programs belong to skills, and the request has none')
  })
})
