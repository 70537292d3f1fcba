import { expect, test } from 'vitest'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain } from './support/until.ts'

// From the first run of a code agent's program to runs of it as fixed code without a model.
let script: (request: MockRequest) => MockTurn

const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({ file: { ...fileOfSmallModel(model.baseUrl), programs: { shadow_share: 0 } } }),
)

const schema = {
  type: 'object',
  properties: { reference: { type: ['string', 'null'] }, amount: { type: ['number', 'null'] } },
  required: ['reference', 'amount'],
  additionalProperties: false,
}

/** The n-th delivery note of one sender, with its correct answer. */
function note(n: number) {
  const [reference, amount] = [`HS-${4000 + n * 13}`, 107.25 + n * 7]
  const lines = [
    'Harbour Supplies',
    `Consignment  ${reference}`,
    `Crates       ${2 + (n % 5)}`,
    `Payable now  ${amount.toFixed(2)}`,
  ]
  return { inputs: { note: { type: 'text', text: lines.join('\n') } }, answer: { reference, amount } }
}

/** Reads a note by its labels. */
const reader = `export default async function run(tools: any, inputs: any) {
  const lines = await tools.document.lines({ input: inputs.note.slot })
  const text: string = lines.map((line: any) => line.cells.map((cell: any) => cell.text).join('  ')).join('\\n')
  const after = (label: RegExp): string | null => label.exec(text)?.[1] ?? null
  const amount = after(/Payable now\\s+([\\d.]+)/)
  return { reference: after(/Consignment\\s+(\\S+)/), amount: amount === null ? null : Number(amount) }
}`

async function makeSkill(name: string): Promise<string> {
  const body = { name, description: 'Reads delivery notes', prompt: 'Read the delivery note', json_schema: schema }
  const { status, json } = await service.call('POST', '/v1/skills/create', { body })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.id
}

async function execute(
  skill: string,
  n: number,
  config: { readonly prompt?: string } = {},
  inputs: object = note(n).inputs,
): Promise<Answer['json']> {
  return service.execute({
    model: 'svc-agent-2:fast',
    inputs,
    config: { ...config, execution_mode: 'program', skills: [{ skill_id: skill }] },
  })
}

/** The only program of a skill after its gate. */
async function judged(skill: string): Promise<Answer['json']> {
  for (;;) {
    const { json } = await service.call('GET', `/v1/skills/${skill}/programs`)
    const [program] = json
    if (program && program.status !== 'candidate' && program.status !== 'compiling')
      return (await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)).json
    await lookAgain()
  }
}

const writes =
  (source: string): typeof script =>
  () => ({ text: `\`\`\`ts\n${source}\n\`\`\``, usage: { inputTokens: 1_000, outputTokens: 200 } })

test('the final program of a run is verified and then answers without the model', async () => {
  const skill = await makeSkill('notes')
  script = writes(reader)
  const first = await execute(skill, 1)
  expect(first).toMatchObject({ status: 'completed', execution_mode: 'agent', response: note(1).answer })
  const program = await judged(skill)
  expect(program, JSON.stringify(program)).toMatchObject({ status: 'ready', origin: 'agent', source: `${reader}\n` })
  const asked = model.requests.length
  for (const n of [2, 3, 4]) {
    expect(await execute(skill, n)).toMatchObject({
      status: 'completed',
      execution_mode: 'program',
      response: note(n).answer,
      usage: { standard_cost_dollars: 0 },
    })
  }
  expect(model.requests).toHaveLength(asked)
})

test('a program with its answer as a literal is rejected, and the model continues to answer', async () => {
  const skill = await makeSkill('smuggled')
  script = writes(`export default async function run() {\n  return ${JSON.stringify(note(5).answer)}\n}`)
  expect(await execute(skill, 5)).toMatchObject({ status: 'completed', response: note(5).answer })
  expect(await judged(skill)).toMatchObject({ status: 'rejected', origin: 'agent' })
  script = writes(reader)
  expect(await execute(skill, 6)).toMatchObject({ execution_mode: 'agent', response: note(6).answer })
})

test('a program answers only under the prompt that it was written for', async () => {
  const skill = await makeSkill('under-a-prompt')
  script = writes(reader)
  await execute(skill, 10)
  expect((await judged(skill)).status).toBe('ready')
  const asked = model.requests.length
  const other = await execute(skill, 11, { prompt: 'Give the amount in cents' })
  expect(other).toMatchObject({
    execution_mode: 'agent',
    usage: { message: 'Ran as agent: there is no program for these skills, this schema and this prompt' },
  })
  expect(model.requests.length).toBeGreaterThan(asked)
  expect(await execute(skill, 12)).toMatchObject({ execution_mode: 'program' })
})

test('a program is not trusted when it finds nothing for a field that always had a value', async () => {
  const skill = await makeSkill('nothing-found')
  script = writes(reader)
  await execute(skill, 20)
  expect((await judged(skill)).status).toBe('ready')
  const { inputs, answer } = note(21)
  const text = inputs.note.text.replace('Payable now', 'Payable by the end of the month')
  script = () => ({ text: `{"amount": ${answer.amount}}`, usage: { inputTokens: 10, outputTokens: 5 } })
  const served = await execute(skill, 21, {}, { note: { type: 'text', text } })
  expect(served).toMatchObject({
    status: 'completed',
    response: answer,
    execution_mode: 'agent',
    execution_modes: { '/reference': 'program', '/amount': 'agent' },
    usage: {
      message:
        'The program left /amount to an agent: it found nothing for /amount, which has had a value in every known case',
    },
  })
})

test('a run that could not use a program and fails as an agent reports both', async () => {
  const skill = await makeSkill('fails-as-agent')
  script = () => ({ text: 'There is nothing to write', usage: { inputTokens: 10, outputTokens: 5 } })
  const failed = await execute(skill, 30)
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'no_program' } })
  expect(failed.usage.message).toBe(
    `${failed.error.message}. Ran as agent: there is no program for these skills and this schema`,
  )
  script = () => ({ status: 401 })
  const refused = await execute(skill, 31)
  expect(refused.status).toBe('failed')
  expect(refused.usage.message).toMatch(/rejected the key.* Ran as agent: there is no program for these skills/)
})
