// The cost of skills per execution: with 10 and 10,000 stored, and none, 1 and 64 enabled; one turn of a mock model,
// one execution at a time, over HTTP. The variants alternate. Prints JSON. `node bench/skills-enabled.ts [--requests
// 60] [--delay 20]`
import { openCluster } from '../test/support/cluster.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { type Call, callerOf, openPlace } from './place.ts'

const { requests, delay: delayMs } = optionsOf({ requests: 60, delay: 20 })
const enabledMost = 64
const stored = [10, 10_000]
/** The number of enabled skills by variant. */
const variants = { 'none enabled': 0, '1 enabled': 1, 'at most 64 enabled': enabledMost }

const usage = { inputTokens: 100, outputTokens: 10 }
await using model = await startMockModel({ script: () => ({ text: '{"total":144}', usage }), delayMs })
await using place = await openPlace('skills')
const db = await place.connect()
const facts = { input: 1_000_000, cached_input: 1_000_000, output: 1_000_000, context_tokens: 100_000 }
const SKILLRUN_CONFIG = await place.configured({
  providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'small' } },
  models: { 'mine/small': { ...facts, output_tokens_max: 1_000, takes: ['text', 'tools'] } },
  limits: { requests_per_minute: 10_000_000 },
})
await using cluster = await openCluster(place.database.address, { SKILLRUN_CONFIG })
const { url } = await cluster.start('api', { SKILLRUN_ROLE: 'all' })
const made: Record<string, Record<string, number>> = {}
const calls: Record<string, Call> = {}
for (const size of stored) {
  const workspace = `with-${size}`
  const { key } = await callerOf(url, cluster.key)<{ key: string }>('POST', '/v1/keys', { workspace })
  const call = callerOf(url, key)
  calls[`${size} stored`] = call
  for (let number = 0; number < Math.min(size, enabledMost); number++) await makeSkill(call, number)
  if (size > enabledMost) await copySkills(workspace, size - enabledMost)
}
await db.query('analyze skills')
for (const [name, times] of await measure(calls)) made[name] = times
const promptBytes = Math.max(...model.requests.map(({ text }) => skillBytes(text)))
const at = (name: keyof typeof variants, size: number) => made[name]?.[`${size} stored`] ?? 0
const ratio = (over: number, under: number) => Number((over / under).toFixed(2))
const result = {
  requests,
  model_ms: delayMs,
  p50_above_model_ms: made,
  ratio: {
    '10,000 stored to 10': ratio(at('1 enabled', 10_000), at('1 enabled', 10)),
    '64 enabled to 1': ratio(at('at most 64 enabled', 10_000), at('1 enabled', 10_000)),
  },
  prompt_bytes_of_one_skill: promptBytes,
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
async function makeSkill(call: Call, number: number): Promise<void> {
  await call('POST', '/v1/skills/create', {
    name: `skill-${number}`,
    description: `Reads documents of kind ${number}: ${'what it is for and when it is used. '.repeat(20)}`,
    prompt: 'Read the document with care.\n'.repeat(100),
    json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
  })
}

/** Copies of the first skill with other names, in the same workspace. */
async function copySkills(workspace: string, count: number): Promise<void> {
  await db.query(
    `insert into skills (id, workspace_id, name, number, skill_version, description, is_public, status, origin, sha256,
       zip_sha256, zip_bytes, facts, is_latest, created_at, updated_at)
     select gen_random_uuid(), workspace_id, 'copy-' || n, 1, skill_version, description, false, 'completed', origin, sha256,
       zip_sha256, zip_bytes, facts, true, created_at, updated_at
     from skills, generate_series(1, $1::integer) n
     where name = 'skill-0' and workspace_id = (select id from workspaces where name = $2)`,
    [count, workspace],
  )
}

/** Median milliseconds of an execution above the model's own, by variant and number of stored skills; the variants alternate. */
async function measure(calls: Readonly<Record<string, Call>>): Promise<[string, Record<string, number>][]> {
  const taken = new Map<string, number[]>()
  for (let round = -5; round < requests; round++) {
    for (const [name, most] of Object.entries(variants)) {
      for (const [size, call] of Object.entries(calls)) {
        const enabled = Math.min(most, Number.parseInt(size, 10))
        const skills = Array.from({ length: enabled }, (_, number) => ({ skill_id: `skill-${number}` }))
        const startedMs = performance.now()
        const { status } = await call<{ status: string }>('POST', '/v1/agent/execute', {
          batch: false,
          inputs: { note: { total: 144 } },
          config: { prompt: 'Give the total', skills },
        })
        if (status !== 'completed') throw new Error(`an execution is ${status}`)
        const times = taken.get(`${name}/${size}`) ?? []
        taken.set(`${name}/${size}`, times)
        if (round >= 0) times.push(performance.now() - startedMs - delayMs)
      }
    }
  }
  return Object.keys(variants).map((name) => [
    name,
    Object.fromEntries(
      Object.keys(calls).map((size) => [size, Number(median(taken.get(`${name}/${size}`) ?? []).toFixed(1))]),
    ),
  ])
}

/** Bytes of the longest line about a skill in a prompt. */
function skillBytes(text: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith('- skill-'))
  return Math.max(0, ...lines.map((line) => Buffer.byteLength(line) + 1))
}
