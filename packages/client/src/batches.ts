import { type Asking, type Http, newId, pause, type Stoppable } from './http.ts'
import type {
  BackfillEstimate,
  BackfillRequest,
  Batch,
  BatchItem,
  BatchRequest,
  Callback,
  Operations,
} from './openapi.ts'

type Query<Name extends 'listBatches' | 'listBatchItems' | 'getBatchResults'> = Partial<Operations[Name]['query']>

/** Interval between two requests for a batch. */
const pollMs = 1_000

/** The batches of a server. */
export function batchesOf(http: Http) {
  const at = (id: string) => `/v1/agent/batches/${encodeURIComponent(id)}`
  const act = (id: string, verb: string, how: Asking = {}) =>
    http.json<Batch>(`${at(id)}/${verb}`, { ...how, method: 'POST' })
  const get = (id: string, how?: Stoppable) => http.json<Batch>(at(id), how)
  return {
    /** Creates a batch. The same key with the same body returns the first batch again; without one, each call gets a new key. */
    create: (batch: BatchRequest, { idempotencyKey = newId(), ...how }: Stoppable & { idempotencyKey?: string } = {}) =>
      http.json<Batch>('/v1/agent/batches', {
        ...how,
        method: 'POST',
        body: batch,
        headers: { 'Idempotency-Key': idempotencyKey },
        repeatable: true,
      }),
    /** Estimates what a batch over earlier executions would cost. */
    estimate: (request: BackfillRequest, how?: Stoppable) =>
      http.json<BackfillEstimate>('/v1/agent/batches/estimate', {
        ...how,
        method: 'POST',
        body: request,
        repeatable: true,
      }),
    get,
    list: (query?: Query<'listBatches'>, how?: Stoppable) =>
      http.json<readonly Batch[]>('/v1/agent/batches', { ...how, query }),
    /** All matching items, page by page. */
    async *items(id: string, query: Query<'listBatchItems'> = {}, how: Stoppable = {}): AsyncGenerator<BatchItem> {
      let reply = await http.send(`${at(id)}/items`, { ...how, query })
      for (;;) {
        yield* (await reply.json()) as readonly BatchItem[]
        const next = /<([^>]+)>;\s*rel="next"/.exec(reply.headers.get('link') ?? '')?.[1]
        if (next === undefined) return
        reply = await http.send(next, how)
      }
    },
    pause: (id: string, how?: Stoppable) => act(id, 'pause', how),
    resume: (id: string, how?: Stoppable) => act(id, 'resume', how),
    cancel: (id: string, how?: Stoppable) => act(id, 'cancel', how),
    /** Retries the failed items. */
    retry: (id: string, how?: Stoppable) => act(id, 'retry', how),
    callbacks: (id: string, how?: Stoppable) => http.json<readonly Callback[]>(`${at(id)}/callbacks`, how),
    redeliver: (id: string, n: number | string, how?: Stoppable) =>
      http.json<Callback>(`${at(id)}/callbacks/${encodeURIComponent(String(n))}/redeliver`, { ...how, method: 'POST' }),
    /** The batch once it is no longer running: completed, cancelled or paused. `onProgress` gets it after each request. */
    async wait(id: string, how: Stoppable & { onProgress?: (batch: Batch) => void } = {}): Promise<Batch> {
      for (;;) {
        const batch = await get(id, how)
        how.onProgress?.(batch)
        if (batch.status !== 'running') return batch
        await pause(pollMs, how.signal)
      }
    },
    /** The results as a file; `body` of the reply is its stream. */
    results: (id: string, query?: Query<'getBatchResults'>, how?: Stoppable) =>
      http.send(`${at(id)}/results`, { ...how, query }),
  }
}
