import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db } from '../../../adapters/db/db.ts'
import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import type { Place } from '../store/execution-row.ts'
import { findNews, type Seen } from '../store/moves.ts'
import type { EventRecord } from '../wire/record.ts'
import { readEvents } from './events.ts'
import { listChangeEvents } from './list-changes.ts'
import { type Endings, executionKey } from './waiting.ts'

/** A client that follows an execution. */
interface Reader extends Place {
  seen: Seen
  wake: () => void
}

/** The event streams of this process. */
export interface EventStreams {
  /**
   * The events of an execution beyond `seen` as server-sent events, until its end or until `signal` aborts. Fault `limited` when too many
   * streams are open.
   */
  open(place: Place, seen: Seen, signal: AbortSignal): Readable
  /** Notifies that executions of a workspace changed, until `signal` aborts. Fault `limited` as above. */
  openList(workspaceId: string, signal: AbortSignal): Readable
}

/** The reconnection delay that clients are sent. */
const reconnectMs = 1_000

/** All streams share one poll of the database, which costs the same for one reader as for many. The end of an execution arrives at once. */
export function makeEventStreams(parts: {
  db: Db
  endings: Pick<Endings, 'watch'>
  log: Log
  /** Most open streams per workspace. */
  perWorkspaceMax?: number
}): EventStreams {
  const { db, endings, log, perWorkspaceMax = limits.eventStreamsPerWorkspaceMax } = parts
  const readers = new Set<Reader>()
  let open = 0
  const openOf = new Map<string, number>()
  let isPolling = false

  async function poll(): Promise<void> {
    const polled = [...readers]
    const news = await findNews(db, polled).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'polling for events failed; retrying')
      return []
    })
    for (const place of news) polled[place]?.wake()
    if (readers.size > 0) setTimeout(() => void poll(), limits.eventPollMs).unref()
    else isPolling = false
  }

  /** Resolves when there may be something new; false: a stream's maximum silence has passed. */
  function waitForNews(place: Place, seen: Seen, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isNews: boolean) => {
        clearTimeout(timer)
        unwatch()
        readers.delete(reader)
        signal.removeEventListener('abort', onAbort)
        resolve(isNews)
      }
      const onAbort = () => done(true)
      const reader: Reader = { ...place, seen, wake: () => done(true) }
      const timer = setTimeout(() => done(false), limits.eventHeartbeatMs)
      const unwatch = endings.watch(executionKey(place), () => done(true))
      signal.addEventListener('abort', onAbort)
      readers.add(reader)
      if (isPolling) return
      isPolling = true
      setTimeout(() => void poll(), limits.eventPollMs).unref()
    })
  }

  async function* follow(place: Place, from: Seen, signal: AbortSignal): AsyncGenerator<string> {
    let seen = from
    yield `retry: ${reconnectMs}\n\n`
    while (!signal.aborted) {
      const read = await readEvents(db, place, seen)
      for (const event of read?.events ?? []) {
        yield textOf(event.record)
        seen = event.seen
      }
      if (!read || read.ended) return
      // An end between the read and the watch is caught by the shared poll.
      if (!(await waitForNews(place, seen, signal))) yield ': still here\n\n'
    }
  }

  const opened = (workspaceId: string, texts: AsyncGenerator<string>): Readable => {
    const own = openOf.get(workspaceId) ?? 0
    if (own >= perWorkspaceMax)
      throw new Fault(
        'limited',
        'too_many_streams',
        `This workspace has reached its limit of ${own} open event streams; close some first`,
      )
    if (open >= limits.eventStreamsMax)
      throw new Fault(
        'limited',
        'too_many_streams',
        `This server has reached its limit of ${open} open event streams; try again later`,
      )
    open += 1
    openOf.set(workspaceId, own + 1)
    const stream = Readable.from(texts)
    stream.once('close', () => {
      open -= 1
      const left = (openOf.get(workspaceId) ?? 1) - 1
      if (left > 0) openOf.set(workspaceId, left)
      else openOf.delete(workspaceId)
    })
    return stream
  }

  return {
    open: (place, seen, signal) => opened(place.workspaceId, follow(place, seen, signal)),
    openList: (workspaceId, signal) => opened(workspaceId, listChangeEvents(endings, workspaceId, signal)),
  }
}

const textOf = ({ id, event, data }: EventRecord): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
