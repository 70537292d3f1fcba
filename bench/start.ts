import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Child, startMain } from './child.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { callerOf, openFolder } from './place.ts'

/**
 * Start-up time: on an empty folder until the sample invoice's result is printed, and with an existing database until
 * the first execution of a one-page PDF is answered.
 *
 *     node bench/start.ts [--runs 5]
 *
 * Prints the median and the extremes in milliseconds. The floor of the second is a bare Node process that prints and
 * exits.
 */
const { runs } = optionsOf({ runs: 5 })
const root = new URL('..', import.meta.url)
const key = 'the-key-of-the-benchmark'

async function executeInvoice(url: string): Promise<void> {
  const pdf = await readFile(new URL('samples/invoice.pdf', root))
  const schema: unknown = JSON.parse(await readFile(new URL('samples/invoice.schema.json', root), 'utf8'))
  const inputs = { invoice: `data:application/pdf;base64,${pdf.toString('base64')}` }
  const { status } = await callerOf(url, key)<{ status: string }>('POST', '/v1/agent/execute', {
    batch: false,
    inputs,
    config: { prompt: 'Extract the invoice', json_schema: schema, caching: false },
  })
  if (status !== 'completed') throw new Error(`the execution ended as ${status}`)
}

const times: Record<string, number[]> = {
  'empty folder → sample printed': [],
  'database there → first answer': [],
  'bare node': [],
}
for (let run = 0; run < runs; run++) {
  await using folder = await openFolder('bench')
  for (const [name, answered] of [
    ['empty folder → sample printed', (server: Child) => server.printed(/completed: 1 page/)],
    ['database there → first answer', (server: Child) => executeInvoice(server.url)],
  ] as const) {
    const from = performance.now()
    await using server = await startMain(folder.path, { SKILLRUN_API_KEY: key })
    await answered(server)
    times[name]?.push(performance.now() - from)
  }
  const from = performance.now()
  await once(spawn(process.execPath, ['-e', 'console.log(1)'], { stdio: 'ignore' }), 'close')
  times['bare node']?.push(performance.now() - from)
}

const rows = Object.entries(times).map(([name, all]) => ({
  name,
  medianMs: Math.round(median(all)),
  minMs: Math.round(Math.min(...all)),
  maxMs: Math.round(Math.max(...all)),
}))
console.table(rows)
