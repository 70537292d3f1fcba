import { startMain } from './child.ts'
import { type Call, callerOf, openFolder } from './place.ts'

/** A server with a model: `svc-agent-1:fast` is the one at an address, `svc-agent-1:pro` the embedded engine. */
export interface Service extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly key: string
  readonly call: Call
  /** Runs an execution until it is completed, and gives its id and how long that took. */
  execute(body: object): Promise<{ readonly id: string; readonly ms: number }>
}

const key = 'the-key-of-the-benchmark'

export async function openService(
  baseUrl: string,
  { takes, env = {} }: { takes: readonly string[]; env?: NodeJS.ProcessEnv },
): Promise<Service> {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await openFolder('service'))
  const SKILLRUN_CONFIG = await folder.write('configuration.json', {
    providers: { mock: { kind: 'openai-compatible', base_url: baseUrl } },
    routes: { 'svc-agent-1:fast': 'mock/one', 'svc-agent-1:pro': 'embedded' },
    models: { 'mock/one': { takes, context_tokens: 200_000 } },
  })
  const { url, pid } = undo.use(
    await startMain(folder.pathOf('data'), { SKILLRUN_API_KEY: key, SKILLRUN_CONFIG, ...env }),
  )
  const call = callerOf(url, key)
  const undoLater = undo.move()
  return {
    ...{ url, pid, key, call },
    async execute(body) {
      const from = performance.now()
      const asked = { batch: false, ...body }
      let record = await call<{ id: string; status: string }>('POST', '/v1/agent/execute', asked)
      // A reply waits for a bounded time.
      while (record.status === 'running' || record.status === 'enqueued') {
        await new Promise((resolve) => setTimeout(resolve, 20))
        record = await call('GET', `/v1/agent/executions/${record.id}`)
      }
      if (record.status !== 'completed') throw new Error(JSON.stringify(record))
      return { id: record.id, ms: performance.now() - from }
    },
    [Symbol.asyncDispose]: () => undoLater.disposeAsync(),
  }
}
