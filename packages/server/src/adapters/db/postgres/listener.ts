import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import type { Log } from '../../../core/log.ts'
import { asPromised } from './failures.ts'

/** A subscription to a channel. */
interface Subscriber {
  readonly channel: string
  readonly onMessage: (payload: string) => void
  readonly onGap: (() => void) | undefined
}

/** An advisory lock that is held as long as the connection lives. */
interface HeldLock {
  readonly name: string
  readonly onBack: () => void
}

/** The connection for notifications and locks, opened on first use and reopened when lost. */
export interface Listener {
  listen(subscriber: Subscriber): Promise<() => Promise<void>>
  hold(lock: HeldLock): Promise<() => Promise<void>>
  close(): Promise<void>
}

const backOffFirstMs = 50
const backOffMaxMs = 5_000
/** A connection that only listens does not notice a silent server: query it at times. */
const heartbeatEveryMs = 30_000
const heartbeatTimeoutMs = 10_000
// Shared, so that an earlier session of ours that the database has not ended yet cannot block us.
const lockStatement = 'select pg_advisory_lock_shared(hashtextextended($1, 0))'
const unlockStatement = 'select pg_advisory_unlock_shared(hashtextextended($1, 0))'

/** Creates the listener; it connects at the first `listen` or `hold`. */
export function createListener(options: { clientConfig: pg.ClientConfig; log: Log }): Listener {
  const { clientConfig, log } = options
  const subscribers = new Set<Subscriber>()
  const locks = new Set<HeldLock>()
  const closing = new AbortController()
  let current: Promise<pg.Client> | undefined

  const channels = (): Set<string> => new Set([...subscribers].map((subscriber) => subscriber.channel))

  async function connectOnce(): Promise<pg.Client> {
    const client = new pg.Client({ ...clientConfig, application_name: 'skillrun listener' })
    let lost = false
    const onLost = (): void => {
      if (lost) return
      lost = true
      clearInterval(heartbeat)
      client.removeAllListeners('notification')
      if (closing.signal.aborted || !ready) return
      log.warn({}, 'lost the database connection for notifications')
      current = reconnect()
      // The next `listen` awaits this promise; without one, a rejection must not count as unhandled.
      current.catch(() => {})
    }
    let ready = false
    client.on('error', onLost)
    client.on('end', onLost)
    client.on('notification', ({ channel, payload }) => {
      for (const subscriber of [...subscribers]) {
        if (subscriber.channel === channel) subscriber.onMessage(payload ?? '')
      }
    })
    const heartbeat = setInterval(() => {
      client.query({ text: 'select 1', query_timeout: heartbeatTimeoutMs } as pg.QueryConfig).catch(() => {
        client.connection.stream.destroy()
      })
    }, heartbeatEveryMs)
    heartbeat.unref()
    try {
      await client.connect()
      for (const channel of channels()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      for (const { name } of locks) await client.query(lockStatement, [name])
      if (lost) throw new Error('Connection terminated')
      ready = true
      return client
    } catch (error) {
      lost = true
      clearInterval(heartbeat)
      await client.end().catch(() => {})
      throw error
    }
  }

  async function reconnect(): Promise<pg.Client> {
    for (let waitMs = backOffFirstMs; ; waitMs = Math.min(waitMs * 2, backOffMaxMs)) {
      await pause(waitMs, undefined, { signal: closing.signal, ref: false })
      const client = await connectOnce().catch(() => undefined)
      if (client === undefined) continue
      log.info({}, 'restored the database connection for notifications')
      for (const subscriber of [...subscribers]) subscriber.onGap?.()
      for (const lock of [...locks]) lock.onBack()
      return client
    }
  }

  /** Opens the connection, which then sets up listening and locks itself; runs `work` on a connection that already exists. */
  async function onConnection(work: (client: pg.Client) => Promise<unknown> | undefined): Promise<void> {
    if (current === undefined) {
      current = connectOnce()
      await current
    } else await work(await current)
  }

  return {
    async listen(subscriber) {
      if (closing.signal.aborted) throw closedFault()
      const isNew = !channels().has(subscriber.channel)
      subscribers.add(subscriber)
      try {
        await onConnection((client) =>
          isNew ? client.query(`listen ${pg.escapeIdentifier(subscriber.channel)}`) : undefined,
        )
      } catch (error) {
        subscribers.delete(subscriber)
        if (subscribers.size + locks.size === 0) current = undefined
        throw asPromised(error)
      }
      return async () => {
        subscribers.delete(subscriber)
        if (channels().has(subscriber.channel) || closing.signal.aborted) return
        const client = await current?.catch(() => undefined)
        await client?.query(`unlisten ${pg.escapeIdentifier(subscriber.channel)}`).catch(() => {})
      }
    },
    async hold(lock) {
      if (closing.signal.aborted) throw closedFault()
      locks.add(lock)
      try {
        await onConnection((client) => client.query(lockStatement, [lock.name]))
      } catch (error) {
        locks.delete(lock)
        if (subscribers.size + locks.size === 0) current = undefined
        throw asPromised(error)
      }
      return async () => {
        locks.delete(lock)
        if (closing.signal.aborted) return
        const client = await current?.catch(() => undefined)
        await client?.query(unlockStatement, [lock.name]).catch(() => {})
      }
    },
    async close() {
      closing.abort()
      subscribers.clear()
      locks.clear()
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}

const closedFault = (): Fault => new Fault('unavailable', 'database_unavailable', 'The database was closed.')
