import { pause } from '@skillrun/client/http.ts'
import type { AgentExecutionResponse as Execution } from '@skillrun/client/openapi.ts'
import { readServerEvents } from '@skillrun/client/server-events.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Client } from '../client.ts'
import type { ExecutionQuery } from '../execution-filters.ts'
import type { Terminal } from '../terminal.ts'

/** How many of the newest executions are fetched after a change; changes of older ones are not shown. */
export const lookedAtMax = 200
/** The pause before a broken stream is reopened. The requests themselves fail when the server stays unreachable. */
const breakPauseMs = 500

/**
 * The executions that match `query` as they are created or change their state, oldest first. Those in `known` are skipped
 * while their state is the same. Runs until the signal and throws its reason; throws what `Client` throws when the server
 * stays unreachable.
 */
export async function* followList(
  known: readonly Execution[],
  of: { readonly client: Client; readonly query: ExecutionQuery; readonly terminal: Terminal },
): AsyncGenerator<readonly Execution[]> {
  const { client, terminal } = of
  const { signal } = terminal
  const query = { ...of.query, skip: 0, limit: lookedAtMax }
  let shown = new Map(known.map(({ id, status }) => [id, status]))
  const changes = async () => {
    const { executions: found } = await client.executions.page(query)
    const fresh = found.filter(({ id, status }) => shown.get(id) !== status)
    shown = new Map([...shown, ...found.map(({ id, status }) => [id, status] as const)].slice(-2 * lookedAtMax))
    return fresh.toReversed()
  }
  for (;;) {
    // Opened before the list is fetched, so that no change is missed between the two.
    const stream = (await client.send('/v1/agent/events')).body as ReadableStream<Uint8Array>
    yield await changes()
    try {
      for await (const _ of readServerEvents(stream)) yield await changes()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Fault && error.kind !== 'unavailable') throw error
    }
    await pause(breakPauseMs, signal)
  }
}
