// A program against the agent that wrote it: the same requests to one server, alternating, with a model that takes 200
// ms and one that takes none; and how a caller with endless programs affects the latency of others.
// `node bench/program-speed.ts [--runs 40] [--flood 600] [--warm 0] [--beside 3000] [--models 200,0]`
import { Agent } from 'node:http'
import { startMockModel } from '../test/support/mock-model.ts'
import { send } from '../test/support/send.ts'
import { startServer } from '../test/support/server.ts'
import { startChild } from './child.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'
import { databaseCpuMs, figuresOf, mainCpuMs } from './table/process-figures.ts'

const values = optionsOf({ runs: 40, flood: 600, warm: 0, beside: 3000, models: '200,0', mock: '' })

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** What the model writes at its second turn: the first program inspects the document, as agents do. */
const looking = `export default async function run(tools, inputs) {
  const { pages } = await tools.document.read({ input: inputs.note.slot, pages: [1] })
  console.log(pages[0].lines.map(({ text }) => text).join('\\n'))
  throw new Error('now I have seen it')
}`
const reading = `export default async function run(tools, inputs) {
  const { pages } = await tools.document.read({ input: inputs.note.slot, pages: [1] })
  const text = pages.flatMap(({ lines }) => lines.map((line) => line.text)).join('\\n')
  const after = (label) => label.exec(text)?.[1] ?? null
  return { reference: after(/Consignment\\s+(\\S+)/), amount: Number(after(/Payable now\\s+(\\S+)/)) }
}`

/** A malicious program. */
const spinning = 'export default async function run() { for (;;) {} }'

if (values.mock) {
  // The mock has its own process, so that its CPU is not the server's.
  const { baseUrl } = await startMockModel({
    delayMs: Number(values.mock),
    script: ({ text }) => ({
      text: `\`\`\`ts\n${text.includes('Spin for ever') ? spinning : text.includes('now I have seen it') ? reading : looking}\n\`\`\``,
      usage: { inputTokens: 3_000, outputTokens: 300 },
    }),
  })
  process.stdout.write(`${baseUrl}\n`)
} else await measure()

async function measure(): Promise<void> {
  const results = []
  for (const delayMs of values.models.split(',').map(Number)) results.push(await against(delayMs))
  for (const one of results) {
    process.stdout.write(`${JSON.stringify(one)}\n`)
  }
}

async function against(delayMs: number) {
  await using folder = await openFolder('speed')
  await using mock = await startChild([import.meta.filename, '--mock', String(delayMs)])
  const facts = { input: 2_000_000, cached_input: 200_000, output: 12_000_000, context_tokens: 100_000 }
  const configuration = {
    providers: { mine: { kind: 'openai-compatible', base_url: mock.url, fast: 'small', pro: 'small' } },
    models: { 'mine/small': { ...facts, output_tokens_max: 1_000, takes: ['text', 'tools'] } },
    programs: { shadow_share: 0 },
    limits: { requests_per_minute: 1_000_000 },
  }
  const file = await folder.write('configuration.json', configuration)
  const key = 'the-key-of-the-benchmark'
  const server = startServer(folder.pathOf('data'), {
    SKILLRUN_WARM: 'yes',
    SKILLRUN_CONFIG: file,
    SKILLRUN_API_KEY: key,
    SKILLRUN_SLOTS: 'priority=16,standard=16,flex=4',
  })
  try {
    const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
    const pid = server.process.pid ?? 0
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      // `fetch` would cost a large part of what is measured, on the same cores.
      const { status, text } = await send(url + path, { method, headers, agent, body: body && JSON.stringify(body) })
      if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`)
      // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads any reply.
      return JSON.parse(text) as any
    }
    const schema = {
      type: 'object',
      properties: { reference: { type: ['string', 'null'] }, amount: { type: ['number', 'null'] } },
      required: ['reference', 'amount'],
    }
    const made = { name: 'notes', description: 'Reads notes', prompt: 'Read the note', json_schema: schema }
    const skill = await call('POST', '/v1/skills/create', made)
    let count = 0
    const execute = async (mode: 'agent' | 'program') => {
      count += 1
      const note = `Harbour Supplies\nConsignment  HS-${count}\nHandling  3.50\nPayable now  ${100 + count}.25\n`
      const started = performance.now()
      const record = await call('POST', '/v1/agent/execute', {
        batch: false,
        model: 'svc-agent-2:fast',
        inputs: { note: { type: 'file_url', file_url: { url: `data:text/plain,${encodeURIComponent(note)}` } } },
        config: { execution_mode: mode, skills: [{ skill_id: skill.id }] },
      })
      const ms = performance.now() - started
      if (record.response?.amount !== 100 + count && record.execution_mode !== mode)
        throw new Error(`ran as ${record.execution_mode}: ${record.usage.message}`)
      return {
        ms,
        dollars: record.usage.cost_dollars as number,
        steps: record.usage.steps as number,
        mode: record.execution_mode,
      }
    }
    // The agent's final program is kept and verified automatically.
    await execute('agent')
    for (;;) {
      const [program] = await call('GET', `/v1/skills/${skill.id}/programs`)
      if (program?.status === 'rejected') throw new Error(program.reason)
      if (program?.status === 'ready') break
    }
    for (let warm = 0; warm < 10; warm += 1) await execute('program')
    const sums = {
      agent: [] as Awaited<ReturnType<typeof execute>>[],
      program: [] as Awaited<ReturnType<typeof execute>>[],
    }
    const cpu = { agent: 0, program: 0 }
    for (let run = 0; run < values.runs; run += 1)
      for (const mode of ['agent', 'program'] as const) {
        const before = figuresOf(pid).cpuMs
        sums[mode].push(await execute(mode))
        cpu[mode] += figuresOf(pid).cpuMs - before
      }
    const p50 = (mode: 'agent' | 'program'): number => {
      const sorted = sums[mode].map(({ ms }) => ms).toSorted((a, b) => a - b)
      return sorted[sorted.length >> 1] ?? 0
    }
    const flood = async (programs: number): Promise<void> => {
      let left = programs
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (left-- > 0) await execute('program')
        }),
      )
    }
    await flood(values.warm)
    const cpuBefore = figuresOf(pid).cpuMs
    const mainBefore = mainCpuMs(pid)
    const databaseBefore = databaseCpuMs(pid)
    const generatorBefore = process.cpuUsage()
    const started = performance.now()
    await flood(values.flood)
    const perSecond = values.flood / ((performance.now() - started) / 1000)
    const generatorUsage = process.cpuUsage(generatorBefore)
    const generatorCpu = (generatorUsage.user + generatorUsage.system) / 1000 / values.flood
    const databaseCpu = (databaseCpuMs(pid) - databaseBefore) / values.flood
    const floodCpu = (figuresOf(pid).cpuMs - cpuBefore) / values.flood
    const floodMainCpu = (mainCpuMs(pid) - mainBefore) / values.flood
    const alone = await quietly(() => execute('program'))
    const hostile = values.beside > 0 ? spinBeside(call) : { stop: () => undefined }
    const beside = await quietly(() => execute('program'))
    hostile.stop()
    const dollars = (mode: 'agent' | 'program'): number =>
      sums[mode].reduce((sum, one) => sum + one.dollars, 0) / sums[mode].length
    return {
      model_ms: delayMs,
      agent_p50_ms: rounded(p50('agent')),
      program_p50_ms: rounded(p50('program')),
      faster: rounded(p50('agent') / p50('program')),
      agent_cpu_ms: rounded(cpu.agent / sums.agent.length),
      program_cpu_ms: rounded(cpu.program / sums.program.length),
      agent_dollars: dollars('agent'),
      program_dollars: dollars('program'),
      programs_per_second_16_in_flight: rounded(perSecond),
      program_cpu_ms_16_in_flight: rounded(floodCpu),
      of_which_server_process: rounded(floodMainCpu),
      database_cpu_ms_16_in_flight: rounded(databaseCpu),
      generator_cpu_ms_16_in_flight: rounded(generatorCpu),
      p99_ms_4_in_flight: rounded(alone),
      p99_ms_beside_endless_programs: rounded(beside),
    }
  } finally {
    await server.end('SIGTERM')
  }
}

/** The 99th percentile of programs at four in flight, in milliseconds. */
async function quietly(one: () => Promise<{ readonly ms: number }>): Promise<number> {
  const times: number[] = []
  let left = values.beside
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left-- > 0) times.push((await one()).ms)
    }),
  )
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

/** A caller that always has an endless program running. */
function spinBeside(call: (method: string, path: string, body: object) => Promise<unknown>): { stop(): void } {
  let isOver = false
  const spin = async (): Promise<void> => {
    while (!isOver)
      await call('POST', '/v1/agent/execute', {
        batch: false,
        model: 'svc-agent-2:fast',
        inputs: { note: 'Nothing' },
        config: { prompt: 'Spin for ever', timeout_seconds: 8 },
      })
  }
  void spin().catch((error: unknown) => process.stderr.write(`${error}\n`))
  return {
    stop: () => {
      isOver = true
    },
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
