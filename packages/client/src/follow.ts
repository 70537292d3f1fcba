import { SkillrunFailure } from './failure.ts'
import { type Http, pause } from './http.ts'
import type { AgentExecutionResponse, ExecutionEvent } from './openapi.ts'
import { readServerEvents } from './server-events.ts'

/** How often a broken stream is resumed without receiving anything. */
const breaksMax = 8
const breakPauseMs = 500

export const executionPath = (id: string): string => `/v1/agent/executions/${encodeURIComponent(id)}`

const hasEnded = (status: string): boolean => status === 'completed' || status === 'failed'

/**
 * The events of an execution, from its beginning or after the event `after`, until its end, which is the last event. Reconnects without a
 * gap, also after a restart of the server. Throws SkillrunFailure when the server cannot be reached, or stays away for five minutes.
 */
export async function* followExecution(
  http: Http,
  id: string,
  { after, signal }: { after?: string | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ExecutionEvent> {
  let seen = after
  let patient = false
  for (let breaks = 0; ; breaks++) {
    if (breaks > breaksMax)
      throw new SkillrunFailure(`The event stream of execution ${id} ended repeatedly before the execution did`, {
        status: 0,
      })
    if (breaks > 0) await pause(breakPauseMs * breaks, signal)
    const reply = await http.send(`${executionPath(id)}/events`, {
      headers: { Accept: 'text/event-stream', ...(seen === undefined ? {} : { 'Last-Event-ID': seen }) },
      signal,
      patient,
    })
    patient = true
    let came = false
    try {
      for await (const { id: eventId, event, data } of readServerEvents(reply.body as ReadableStream<Uint8Array>)) {
        came = true
        breaks = 0
        seen = eventId ?? seen
        const record = { id: eventId ?? '', event, data: JSON.parse(data) } as ExecutionEvent
        yield record
        if (record.event === 'status' && hasEnded(record.data.status)) return
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof SkillrunFailure) throw error
      continue
    }
    signal?.throwIfAborted()
    // After its last event, an execution that has ended sends nothing; a stream that was cut may lack events.
    if (!came && hasEnded((await http.json<AgentExecutionResponse>(executionPath(id), { signal, patient })).status))
      return
  }
}

/** How to wait, and the progress callbacks. */
export interface Waiting {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly onEvent?: ((event: ExecutionEvent) => void) | undefined
  /** Called with each record that is read: the first and the last, and those in between when polling. */
  readonly onRecord?: ((record: AgentExecutionResponse) => void) | undefined
}

/** Polling interval when there is no event stream. */
const pollMs = 1_000

/**
 * The record of an execution at its end or at a pause. Follows its events, and polls only when the server or a proxy in front of it
 * provides no event stream. Throws a TimeoutError after `timeoutMs`; the execution continues.
 */
export async function waitForExecution(http: Http, id: string, how: Waiting = {}): Promise<AgentExecutionResponse> {
  const given = [how.signal, how.timeoutMs === undefined ? undefined : AbortSignal.timeout(how.timeoutMs)].filter(
    (one) => one !== undefined,
  )
  const signal = given.length > 0 ? AbortSignal.any(given) : undefined
  const read = async (patient: boolean) => {
    const record = await http.json<AgentExecutionResponse>(executionPath(id), { signal, patient })
    how.onRecord?.(record)
    return record
  }
  const first = await read(false)
  if (hasEnded(first.status) && !how.onEvent) return first
  const settled = await settledByEvents(http, id, { signal, onEvent: how.onEvent, read: () => read(true) })
  if (settled) return settled
  // Following has waited for a server that is away.
  for (let patient = false; ; patient = true) {
    const now = await read(patient)
    if (hasEnded(now.status) || now.status === 'paused') return now
    await pause(pollMs, signal)
  }
}

/** The record once events reported that it has settled; undefined without an event stream. */
async function settledByEvents(
  http: Http,
  id: string,
  how: Pick<Waiting, 'signal' | 'onEvent'> & { readonly read: () => Promise<AgentExecutionResponse> },
): Promise<AgentExecutionResponse | undefined> {
  const events = followExecution(http, id, { signal: how.signal })
  for (;;) {
    const next = await events.next().catch(() => {
      how.signal?.throwIfAborted()
      return undefined
    })
    if (!next) return undefined
    if (next.done) return how.read()
    const event = next.value
    try {
      how.onEvent?.(event)
      if (event.event !== 'status' || event.data.status !== 'paused') continue
      const now = await how.read()
      // An earlier pause that was resumed since?
      if (now.status !== 'paused' || now.attempts !== event.data.attempt) continue
      await events.return(undefined)
      return now
    } catch (error) {
      await events.return(undefined)
      throw error
    }
  }
}
