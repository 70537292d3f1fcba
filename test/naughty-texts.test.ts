import { expect, test } from 'vitest'
import { openApiOf } from '../packages/server/src/adapters/http/openapi.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { judgeBy, nastyTexts } from './support/fuzz.ts'
import { eightAtOnce } from './support/inside.ts'
import { opened } from './support/opened.ts'
import { send } from './support/send.ts'
import { openTestService } from './support/service.ts'
import { operationsOf, slotsOf } from './support/slots.ts'

const generous = { requests_per_minute: 10_000_000, waiting_per_tier: 1_000_000, waiting_per_workspace: 1_000_000 }
const service = await opened(
  openTestService({
    env: { SKILLRUN_SLOTS: 'priority=1,standard=1,flex=1' },
    config: { file: { limits: { ...generous, sync_wait_ms: 50 } } },
  }),
)

// Streams that stay open.
const endless = ['followExecutions', 'listExecutionEvents']
const document = openApiOf(apiRoutes())
const judge = judgeBy(document)

/** Texts that every place gets: empty and long ones, and those with control characters or half of a pair. Each gets a ninth of the others. */
const isHard = (text: string): boolean => text.length === 0 || text.length >= 300 || /\p{C}/u.test(text)

test('problematic texts in every place of every route that takes text are answered as the API describes', async () => {
  const operations = new Map(operationsOf(document).map((one) => [String(one.operation['operationId']), one]))
  const slots = slotsOf(document).filter(({ operation }) => !endless.includes(operation))
  const shots = slots.flatMap((slot, place) =>
    nastyTexts.filter((text, at) => isHard(text) || (place + at) % 9 === 0).map((text) => ({ slot, text })),
  )
  expect(shots.length).toBeGreaterThan(5_000)
  const wrong = new Map<string, string>()
  await eightAtOnce(shots, async ({ slot, text }) => {
    // An empty or dotted path segment would be another route.
    if (slot.name.startsWith('path.') && (/^\.{0,2}$/.test(text) || text.length > 1_000)) return
    const operation = operations.get(slot.operation)
    if (!operation) throw new Error(`there is no operation ${slot.operation}`)
    const { path, body } = slot.request(
      text.toWellFormed() === text || slot.name.startsWith('body.') ? text : 'x',
      () => undefined,
    )
    const reply = await send(service.url + path, {
      method: slot.method,
      headers: {
        Authorization: `Bearer ${service.key}`,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const contentType = reply.headers['content-type'] ?? ''
    const json: unknown = contentType.startsWith('application/json') ? JSON.parse(reply.text) : reply.text
    const said = judge(operation, { status: reply.status, contentType, json })
    if (said)
      wrong.set(`${slot.operation} ${slot.name} ${reply.status}`, `${JSON.stringify(text).slice(0, 60)}: ${said}`)
  })
  expect(Object.fromEntries(wrong)).toEqual({})
}, 600_000)

const made = async (path: string, body: object) => {
  const { status, json } = await service.call('POST', path, { body })
  expect([200, 201, 422], JSON.stringify(body).slice(0, 200)).toContain(status)
  return status === 422 ? undefined : json
}
const got = async (path: string) => (await service.call('GET', path)).json

/** Each writes a text and returns what is read back; undefined when it was refused. */
const trips: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'notes of feedback': async (notes) => {
    const entity = crypto.randomUUID()
    if (!(await made('/v1/feedback/submit', { request_id: entity, notes }))) return undefined
    return (await got(`/v1/feedback/${entity}`)).items[0].notes
  },
  'the response of feedback': async (text) => {
    const entity = crypto.randomUUID()
    if (!(await made('/v1/feedback/submit', { request_id: entity, response: { [text || 'x']: text } })))
      return undefined
    return (await got(`/v1/feedback/${entity}`)).items[0].response[text || 'x']
  },
  'what feedback is on': async (entity) => {
    const kept = await made('/v1/feedback/submit', { request_id: entity, notes: 'a' })
    if (!kept || /^\.{0,2}$/.test(entity)) return kept?.request_id
    return (await got(`/v1/feedback/${encodeURIComponent(entity)}`)).items.length > 0
      ? kept.request_id
      : 'not found again'
  },
  'the prompt of an agent': async (prompt) => {
    const agent = await made('/v1/agent/create', { config: { prompt } })
    return agent && (await got(`/v1/agents/${agent.id}`)).prompt
  },
  'the name of an agent': async (name) => {
    const agent = await made('/v1/agent/create', { name, config: { prompt: `Read ${crypto.randomUUID()}` } })
    return agent && (await got(`/v1/agents/${agent.id}`)).name
  },
  'the description of a skill': async (description) => {
    const name = `skill-${crypto.randomUUID()}`
    const skill = await made('/v1/skills/create', { name, description, prompt: 'Read it' })
    return skill && (await got(`/v1/skills/${skill.id}`)).description
  },
  'a known answer': async (text) => {
    const cases = [{ inputs: { text: 'a', [text || 'x']: [text] }, response: { [text || 'x']: text } }]
    const [one] = (await made(`/v1/skills/${skillId}/cases`, { cases })) ?? []
    if (!one) return undefined
    const listed = (await got(`/v1/skills/${skillId}/cases?limit=1000`)) as { id: string; response: object }[]
    return Object.values(listed.find(({ id }) => id === one.id)?.response ?? {})[0]
  },
  'the session of an execution': async (session) => {
    const body = { inputs: { text: 'a' }, config: { prompt: 'Read' }, metadata: { session_id: session } }
    const record = await made('/v1/agent/execute', body)
    return record && (await got(`/v1/agent/executions/${record.id}`)).session_id
  },
  'the name of a key': async (name) => (await made('/v1/keys', { name, scopes: ['read'] }))?.name,
}
let skillId = ''

test.each(Object.keys(trips))('%s is returned unchanged, or refused', async (name) => {
  skillId = (await made('/v1/skills/create', { name: `home-${crypto.randomUUID()}`, prompt: 'Read' }))?.id
  let kept = 0
  for (const text of nastyTexts) {
    const back = await trips[name]?.(text)
    if (back === undefined) continue
    kept++
    // Absent and null are equivalent.
    if (text !== '' || back !== null) expect(back, `${name} ${JSON.stringify(text)}`).toBe(text)
  }
  expect(kept).toBeGreaterThan(10)
})
