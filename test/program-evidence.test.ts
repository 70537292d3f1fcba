import { expect, test } from 'vitest'
import type { MockRequest, MockTurn } from './support/mock-model.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfTwoModels } from './support/small-model.ts'
import { settledRecord, until } from './support/until.ts'

// Which answers are evidence for a program: only those of a judge who does not repeat what the program was made of, and who said something.

/** What the models write, by name. */
const writes: Record<string, string> = {}
const isQuestion = ({ text }: MockRequest): boolean => text.includes('one question asked by a program')
const usage = { inputTokens: 1_000, outputTokens: 100 }
const model = await opened(
  startMockModel({
    script: (request): MockTurn =>
      isQuestion(request)
        ? { text: JSON.stringify({ answer: 'WS-0' }), usage }
        : { text: `\`\`\`ts\n${writes[String(request.body['model'])]}\n\`\`\``, usage },
  }),
)
const service = await opened(
  openTestService({ file: { ...fileOfTwoModels(model.baseUrl), programs: { shadow_share: 1 } } }),
)

const nullable = (type: string) => ({ type: [type, 'null'] })
const schema = {
  type: 'object',
  properties: { reference: nullable('string'), weight: nullable('number') },
  required: ['reference', 'weight'],
}
const slip = (n: number) => ({
  slip: {
    type: 'text',
    text: `Weighing slip\nReference: WS-${7100 + n}\nGross weight: ${2300 + n}.5 kg\nNet weight: ${1200 + n}.5 kg\n`,
  },
})
const answerOf = (n: number) => ({ reference: `WS-${7100 + n}`, weight: 1200 + n + 0.5 })
const program = (body: string): string => `export default async function run(tools: any, inputs: any) {
  const { pages } = await tools.document.read({ input: 'slip', pages: [1] })
  const text: string = pages.flatMap((page: any) => page.lines.map((line: any) => line.text)).join('\\n')
  const reference = /Reference:\\s+(\\S+)/.exec(text)?.[1] ?? null
  const weight = Number(/Net weight:\\s+(\\S+)/.exec(text)?.[1])
  ${body}
}`
const reader = program('return { reference, weight }')

async function makeSkill(name: string): Promise<string> {
  const body = { name, description: 'Reads weighing slips', prompt: 'Read the weighing slip', json_schema: schema }
  return (await service.call('POST', '/v1/skills/create', { body })).json.id
}

const execute = (skill: string, n: number, more: { model?: string; mode?: string; config?: object } = {}) =>
  service.execute({
    model: more.model ?? 'svc-agent-2:fast',
    inputs: slip(n),
    config: { execution_mode: more.mode ?? 'program', skills: [{ skill_id: skill }], ...more.config },
  })

/** The newest program of a skill after its gate. */
const decided = (skill: string): Promise<Answer['json']> =>
  until(async () => {
    const [found] = (await service.call('GET', `/v1/skills/${skill}/programs`)).json
    return found && found.status !== 'candidate' && found.status !== 'compiling' ? found : undefined
  })

const addCases = (skill: string, cases: readonly object[]) =>
  service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })

/** Compiles a program from cases whose answers somebody gave. */
async function compile(skill: string): Promise<void> {
  await addCases(
    skill,
    [21, 22, 23, 24, 25, 26].map((n) => ({ inputs: slip(n), response: answerOf(n) })),
  )
  await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
  const made = await decided(skill)
  expect(made, JSON.stringify(made)).toMatchObject({ status: 'ready', origin: 'embedded' })
}

/** The judgements of the skill's program once its shadows have ended: `[judge, answers, wrong]`. */
async function judged(skill: string, shadows: number) {
  await expect.poll(async () => (await decided(skill)).shadow.runs, { timeout: 30_000 }).toBe(shadows)
  const { judgements, bound } = (await decided(skill)).shadow
  return {
    bound,
    by: judgements
      .filter(({ answers }: { answers: number }) => answers > 0)
      .map(({ by, answers, wrong }: { by: string; answers: number; wrong: number }) => [by, answers, wrong]),
  }
}

test('a model that finds nothing says nothing for a value of the program', async () => {
  const skill = await makeSkill('silent')
  await compile(skill)
  writes['small'] = program('return { reference, weight: null }')
  expect(await execute(skill, 31)).toMatchObject({ execution_mode: 'program', response: answerOf(31) })
  expect(await judged(skill, 1)).toEqual({ bound: 1, by: [['same_engine', 1, 0]] })
  writes['small'] = reader
  // Marks of sources are no values.
  expect(await execute(skill, 32, { config: { grounding: true } })).toMatchObject({ execution_mode: 'program' })
  expect((await judged(skill, 2)).by).toEqual([
    ['other_model', 1, 0],
    ['same_engine', 1, 0],
  ])
})

test('a model that finds nothing in a field says nothing of it, whatever it says of others', async () => {
  const skill = await makeSkill('half silent')
  await compile(skill)
  writes['small'] = program('return { reference: null, weight: weight + 1 }')
  const { id } = await execute(skill, 35)
  expect((await judged(skill, 1)).by).toEqual([['other_model', 1, 1]])
  expect(await checkedOf(skill)).toEqual({ '/reference': [0, 0], '/weight': [1, 1] })
  // What the silence counted as is taken back when somebody more independent says it.
  await addCases(skill, [{ execution_id: id, response: answerOf(35) }])
  expect((await judged(skill, 1)).by).toEqual([['case', 1, 0]])
  expect(await checkedOf(skill)).toEqual({ '/reference': [1, 0], '/weight': [1, 0] })
})

/** How many values of each field independent judges checked, and how many were wrong. */
async function checkedOf(skill: string): Promise<Record<string, [number, number]>> {
  const { fields } = await decided(skill)
  return Object.fromEntries(
    fields.map(({ pointer, ...of }: { pointer: string; checked: number; wrong: number }) => [
      pointer,
      [of.checked, of.wrong],
    ]),
  )
}

test('a model is no judge of a program that learned its unreviewed answers', async () => {
  const skill = await makeSkill('taught')
  writes['small'] = program('return { reference, weight: Number(/Gross weight:\\s+(\\S+)/.exec(text)?.[1]) }')
  writes['large'] = reader
  const runs = [41, 42, 43, 44, 45, 46].map((n) => execute(skill, n, { mode: 'agent' }))
  await addCases(
    skill,
    (await Promise.all(runs)).map(({ id }) => ({ execution_id: id })),
  )
  await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
  expect(await decided(skill)).toMatchObject({ status: 'ready', origin: 'embedded' })
  const served = await execute(skill, 47)
  expect(served).toMatchObject({ execution_mode: 'program', response: { weight: 2347.5 } })
  expect(await judged(skill, 1)).toEqual({ bound: 1, by: [['same_engine', 1, 0]] })
  await execute(skill, 48, { model: 'svc-agent-2:pro' })
  expect((await judged(skill, 2)).by).toEqual([
    ['other_model', 1, 1],
    ['same_engine', 1, 0],
  ])
})

test('a model is no judge of a program that asked it', async () => {
  const skill = await makeSkill('asking')
  writes['large'] = program(
    "const asked = await tools.model.ask({ question: 'Which reference?', about: text, type: 'text' })\n  return { reference: asked.answer, weight }",
  )
  writes['small'] = program("return { reference: 'WS-0', weight }")
  const first = await execute(skill, 51, { model: 'svc-agent-2:pro' })
  expect(first, JSON.stringify(first.error)).toMatchObject({ status: 'completed', response: { reference: 'WS-0' } })
  expect(await decided(skill)).toMatchObject({ status: 'ready', origin: 'agent' })
  const served = await execute(skill, 52)
  expect(served).toMatchObject({ execution_mode: 'program', response: { reference: 'WS-0', weight: 1252.5 } })
  expect(await judged(skill, 1)).toEqual({ bound: 1, by: [['same_engine', 1, 0]] })
})

test('a known answer judges what a program answered, not the marks of its sources', async () => {
  const skill = await makeSkill('marked')
  await compile(skill)
  writes['small'] = reader
  const { id } = await execute(skill, 61, { config: { grounding: true } })
  await addCases(skill, [{ execution_id: id, response: answerOf(61) }])
  expect((await judged(skill, 1)).by).toEqual([['case', 1, 0]])
  await settledRecord(service, id)
})
