import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './measure.ts'

/**
 * Start-up time: on an empty folder until the sample invoice's result is printed, and with an existing database until
 * the first execution of a one-page PDF is answered.
 *
 *     node bench/start.ts [--runs 5] [--json FILE]
 *
 * Prints the median and the extremes in milliseconds. The floor of the second is a bare Node process that prints and
 * exits.
 */
const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '5' }, json: { type: 'string' } } })
const runs = Number(options.runs)
const root = new URL('..', import.meta.url)
const key = 'the-key-of-the-benchmark'

interface Started {
  readonly child: ChildProcess
  readonly url: string
}

async function start(dataFolder: string): Promise<Started> {
  const env = { ...process.env, PORT: '0', SKILLRUN_DATA: dataFolder, SKILLRUN_API_KEY: key }
  const child = spawn(process.execPath, [new URL('packages/server/src/main.mjs', root).pathname], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, url: (await printed(child, /Skillrun +(http:\S+)/))[1] ?? '' }
}

const outputs = new WeakMap<ChildProcess, string>()

async function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(outputs.get(child) ?? '')
    if (match) return match
    if (child.exitCode !== null) throw new Error(`the server ended without printing ${pattern}`)
    const next = child.stdout as NonNullable<ChildProcess['stdout']>
    const [part] = await Promise.race([once(next, 'data'), once(child, 'close').then(() => [''])])
    outputs.set(child, (outputs.get(child) ?? '') + String(part))
  }
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
}

async function executeInvoice(url: string): Promise<void> {
  const pdf = await readFile(new URL('samples/invoice.pdf', root))
  const schema: unknown = JSON.parse(await readFile(new URL('samples/invoice.schema.json', root), 'utf8'))
  const inputs = { invoice: `data:application/pdf;base64,${pdf.toString('base64')}` }
  const reply = await fetch(`${url}/v1/agent/execute`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      batch: false,
      inputs,
      config: { prompt: 'Extract the invoice', json_schema: schema, caching: false },
    }),
  })
  const { status } = (await reply.json()) as { status: string }
  if (status !== 'completed') throw new Error(`the execution ended as ${status}`)
}

async function measure(work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const times: Record<string, number[]> = {
  'empty folder → sample printed': [],
  'database there → first answer': [],
  'bare node': [],
}
for (let run = 0; run < runs; run++) {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-bench-'))
  let server: Started | undefined
  times['empty folder → sample printed']?.push(
    await measure(async () => {
      server = await start(folder)
      await printed(server.child, /completed: 1 page/)
    }),
  )
  if (server) await stop(server)
  times['database there → first answer']?.push(
    await measure(async () => {
      server = await start(folder)
      await executeInvoice(server.url)
    }),
  )
  if (server) await stop(server)
  times['bare node']?.push(
    await measure(async () => {
      await once(spawn(process.execPath, ['-e', 'console.log(1)'], { stdio: 'ignore' }), 'close')
    }),
  )
  await rm(folder, { recursive: true, force: true })
}

const rows = Object.entries(times).map(([name, all]) => ({
  name,
  medianMs: Math.round(median(all)),
  minMs: Math.round(Math.min(...all)),
  maxMs: Math.round(Math.max(...all)),
}))
console.table(rows)
if (options.json) {
  await mkdir(new URL('results', import.meta.url), { recursive: true })
  await writeFile(options.json, `${JSON.stringify({ runs, rows }, null, 2)}\n`)
}
