import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { installation } from './core/installation.ts'

const samples = installation.sharedFolder('samples')
const prompt = 'Extract the fields of this invoice'

interface Sample {
  readonly url: string
  readonly key: string
  readonly print: (line: string) => void
}

/**
 * Sends the sample invoice over HTTP like any client and prints the result. Does nothing when the store already has
 * executions.
 */
export async function runSample(sample: Sample): Promise<void> {
  const { print } = sample
  if (await hasExecutions(sample)) return
  print('  The store is empty: running the sample invoice, samples/invoice.pdf …\n')
  const form = new FormData()
  form.append(
    'file',
    new Blob([await readFile(new URL('invoice.pdf', samples))], { type: 'application/pdf' }),
    'invoice.pdf',
  )
  const file = (await call(sample, '/v1/files', { method: 'POST', body: form })) as { id: string }
  const schema: unknown = JSON.parse(await readFile(new URL('invoice.schema.json', samples), 'utf8'))
  const body = {
    batch: false,
    inputs: { invoice: { type: 'input_file', file_id: file.id } },
    config: { prompt, json_schema: schema },
  }
  const execution = (await call(sample, '/v1/agent/execute', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })) as {
    id: string
    status: string
    response: unknown
    usage: { elements_processed: number; cost_dollars: number; message: string | null }
  }
  const { status, usage } = execution
  if (status === 'completed') {
    print(indented(JSON.stringify(execution.response, null, 2)))
    print(`\n  completed: ${usage.elements_processed} page, $${usage.cost_dollars}; with evidence for every field at`)
  } else print(`  The sample is ${status}${usage.message ? `: ${usage.message}` : ''}; its record is at`)
  print(`  curl -H "Authorization: Bearer $SKILLRUN_API_KEY" ${sample.url}/v1/agent/executions/${execution.id}\n`)
}

/** With node:http: fetch takes long to load, and most starts need only this request. */
async function hasExecutions({ url, key }: Sample): Promise<boolean> {
  const sent = get(`${url}/v1/agent/executions?limit=1`, { headers: { Authorization: `Bearer ${key}` }, agent: false })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const found = (await json(response)) as unknown
  if (!Array.isArray(found))
    throw new Error(`the sample failed: the list of executions returned status ${response.statusCode}`)
  return found.length > 0
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')

async function call({ url, key }: Sample, path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url + path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } })
  if (!response.ok)
    throw new Error(`the sample failed: ${init.method ?? 'GET'} ${path} returned status ${response.status}`)
  return response.json()
}
