import { SkillrunFailure } from './failure.ts'
import { type Http, pause } from './http.ts'
import type { AgentExecutionResponse, ExecutionEvent } from './openapi.ts'
import { readServerEvents } from './server-events.ts'

/** A stream that breaks is taken up again, where it broke, so many times without a word in between. */
const breaksMax = 8
const breakPauseMs = 500

export const executionPath = (id: string): string => `/v1/agent/executions/${encodeURIComponent(id)}`

const hasEnded = (status: string): boolean => status === 'completed' || status === 'failed'

/**
 * What happens to an execution, from its beginning or after the event `after`, to its end, which is the last event. A
 * connection that breaks is made again without a gap. Throws SkillrunFailure when the server stays away.
 */
export async function* followExecution(
  http: Http,
  id: string,
  { after, signal }: { after?: string | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ExecutionEvent> {
  let seen = after
  for (let breaks = 0; ; breaks++) {
    if (breaks > breaksMax)
      throw new SkillrunFailure(`The events of execution ${id} break off again and again`, { status: 0 })
    if (breaks > 0) await pause(breakPauseMs * breaks, signal)
    const reply = await http.send(`${executionPath(id)}/events`, {
      headers: { Accept: 'text/event-stream', ...(seen === undefined ? {} : { 'Last-Event-ID': seen }) },
      signal,
    })
    try {
      for await (const { id: eventId, event, data } of readServerEvents(reply.body as ReadableStream<Uint8Array>)) {
        breaks = 0
        seen = eventId ?? seen
        const record = { id: eventId ?? '', event, data: JSON.parse(data) } as ExecutionEvent
        yield record
        if (record.event === 'status' && hasEnded(record.data.status)) return
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof SkillrunFailure) throw error
    }
    signal?.throwIfAborted()
    // Whoever comes after the last event is told nothing more: the record itself says whether it is over.
    if (hasEnded((await http.json<AgentExecutionResponse>(executionPath(id), { signal })).status)) return
  }
}

/**
 * The record of an execution at its end, good or bad, or at its pause. It is told of by the server: nothing is asked again and
 * again. Throws a TimeoutError after `timeoutMs`; the execution goes on.
 */
export async function waitForExecution(
  http: Http,
  id: string,
  how: {
    signal?: AbortSignal | undefined
    timeoutMs?: number | undefined
    onEvent?: ((event: ExecutionEvent) => void) | undefined
  } = {},
): Promise<AgentExecutionResponse> {
  const given = [how.signal, how.timeoutMs === undefined ? undefined : AbortSignal.timeout(how.timeoutMs)].filter(
    (one) => one !== undefined,
  )
  const signal = given.length > 0 ? AbortSignal.any(given) : undefined
  const read = () => http.json<AgentExecutionResponse>(executionPath(id), { signal })
  const first = await read()
  if (hasEnded(first.status) && !how.onEvent) return first
  for await (const event of followExecution(http, id, { signal })) {
    how.onEvent?.(event)
    if (event.event !== 'status' || event.data.status !== 'paused') continue
    const now = await read()
    // Paused earlier, and since then taken up again?
    if (now.status === 'paused') return now
  }
  return read()
}
