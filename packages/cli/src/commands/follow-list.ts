import { pause } from '@skillrun/client/http.ts'
import type { AgentExecutionResponse as Execution } from '@skillrun/client/openapi.ts'
import { readServerEvents } from '@skillrun/client/server-events.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Client } from '../client.ts'
import type { ExecutionQuery } from '../execution-filters.ts'
import type { Terminal } from '../terminal.ts'

/** The newest that are looked at when the server says that something changed; what changes further down is not told. */
export const lookedAtMax = 200
/** A stream that broke is made again after so long; a server that stays away is given up by the requests themselves. */
const breakPauseMs = 500

/**
 * The executions that fit `query` as they are made or change their state, told of by the server, the oldest first; those of `known` are not
 * told again in the state that they have there. It goes on until the signal, whose reason it throws, and throws what `Client` throws where the
 * server stays away.
 */
export async function* followList(
  known: readonly Execution[],
  of: { readonly client: Client; readonly query: ExecutionQuery; readonly terminal: Terminal },
): AsyncGenerator<readonly Execution[]> {
  const { client, terminal } = of
  const { signal } = terminal
  const query = { ...of.query, skip: 0, limit: lookedAtMax }
  let told = new Map(known.map(({ id, status }) => [id, status]))
  const changes = async () => {
    const { executions: found } = await client.executions.page(query)
    const fresh = found.filter(({ id, status }) => told.get(id) !== status)
    told = new Map([...told, ...found.map(({ id, status }) => [id, status] as const)].slice(-2 * lookedAtMax))
    return fresh.toReversed()
  }
  for (;;) {
    // Opened before the look, so that nothing falls between.
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
