import { availableParallelism } from 'node:os'
import { assert } from '@skillrun/core/assert.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Child, type ChildSettings, startChild } from './child.ts'
import { converse } from './converse.ts'

/** The size of the process pool, and when a process is replaced. */
export interface QuickjsSandboxSettings extends ChildSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Concurrent programs; further ones wait in order. */
  readonly childrenMax: number
  /** Programs after which a child is replaced, so that slow leaks stay small. */
  readonly runsPerChild: number
  /** Milliseconds after which an idle child is stopped. */
  readonly idleMs: number
}

/** Defaults for a machine with a few cores. */
export const quickjsSandboxDefaults = { childrenMax: 8, runsPerChild: 2_000, idleMs: 60_000, startMs: 20_000 } as const

/** Milliseconds that a program waits for a free child before more children than cores are started. */
const busyMs = 100

/** A sandbox of warm child processes. Each program has its own wasm memory. */
export function createQuickjsSandbox(settings: QuickjsSandboxSettings): Sandbox {
  assert(settings.childrenMax >= 1, 'a sandbox needs at least one child')
  const closing = new AbortController()
  const pool = createPool(settings)
  return {
    run: async (run) => {
      if (closing.signal.aborted) throw closed()
      const signal = AbortSignal.any([run.signal, closing.signal])
      signal.throwIfAborted()
      const child = await pool.take(signal)
      const { outcome, isReusable } = await converse(
        { link: child.link(run.limits.cpuMs), clock: settings.clock },
        { ...run, signal },
      )
      pool.giveBack(child, isReusable)
      if ('error' in outcome) throw outcome.error
      return outcome
    },
    close: async () => {
      closing.abort(closed())
      await pool.close()
    },
  }
}

interface Pool {
  /** A ready child. Rejects with `signal.reason`, or with Fault `sandbox_unavailable` when none can be started. */
  take(signal: AbortSignal): Promise<Child>
  giveBack(child: Child, isReusable: boolean): void
  close(): Promise<void>
}

function createPool(settings: QuickjsSandboxSettings): Pool {
  const children = new Set<Child>()
  const idle = new Map<Child, NodeJS.Timeout>()
  const waiting: (PromiseWithResolvers<Child> & { readonly sinceMs: number })[] = []
  let starting = 0
  let recheck: NodeJS.Timeout | undefined

  const release = (child: Child): void => {
    const next = waiting.shift()
    if (next) next.resolve(child)
    else idle.set(child, setTimeout(() => child.kill(), settings.idleMs).unref())
  }

  /** Whether to start another child. More than one per core only helps when programs wait for their tools. */
  const isWorthStarting = (): boolean => {
    if (children.size < availableParallelism()) return true
    const [longest] = waiting
    return longest !== undefined && settings.clock.monotonicMs() - longest.sinceMs >= busyMs
  }

  const recheckLater = (): void => {
    recheck ??= setTimeout(() => {
      recheck = undefined
      void startIfNeeded()
    }, busyMs).unref()
  }

  /** Starts children one at a time: another may become free in the meantime. */
  const startIfNeeded = async (): Promise<void> => {
    if (starting > 0 || waiting.length === 0 || children.size >= settings.childrenMax) return
    if (!isWorthStarting()) return recheckLater()
    starting += 1
    const child = startChild(settings)
    children.add(child)
    void child.gone.then(() => {
      clearTimeout(idle.get(child))
      idle.delete(child)
      children.delete(child)
      void startIfNeeded()
    })
    const isReady = await child.ready
    starting -= 1
    if (isReady) release(child)
    else {
      child.kill()
      waiting.shift()?.reject(unavailable())
    }
    void startIfNeeded()
  }

  return {
    take: async (signal) => {
      const [child] = idle.keys()
      if (child) {
        clearTimeout(idle.get(child))
        idle.delete(child)
        return child
      }
      const turn = { ...Promise.withResolvers<Child>(), sinceMs: settings.clock.monotonicMs() }
      waiting.push(turn)
      const onAbort = (): void => {
        const at = waiting.indexOf(turn)
        if (at >= 0) waiting.splice(at, 1)
        turn.reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      void startIfNeeded()
      return await turn.promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
    giveBack: (child, isReusable) => {
      if (!children.has(child)) return
      if (isReusable && child.runsDone < settings.runsPerChild) release(child)
      else child.kill()
    },
    close: async () => {
      clearTimeout(recheck)
      const gone = [...children].map((child) => child.gone)
      for (const child of children) child.kill()
      await Promise.all(gone)
    },
  }
}

const closed = (): Fault => new Fault('unavailable', 'sandbox_closed', 'The server is stopping; try again.')

const unavailable = (): Fault =>
  new Fault(
    'unavailable',
    'sandbox_unavailable',
    'No sandbox could be started for the program. Programs never run outside a sandbox.',
  )
