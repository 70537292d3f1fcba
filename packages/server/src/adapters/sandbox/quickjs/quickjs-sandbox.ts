import { availableParallelism } from 'node:os'
import { assert } from '@skillrun/core/assert.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Child, type ChildSettings, startChild } from './child.ts'
import { converse } from './converse.ts'

/** How many children there are, and when one is let go. */
export interface QuickjsSandboxSettings extends ChildSettings {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Programs at once; further ones wait for their turn. */
  readonly childrenMax: number
  /** Programs after which a child is replaced, against slow leaks. */
  readonly runsPerChild: number
  /** Milliseconds after which an idle child is let go. */
  readonly idleMs: number
}

/** Settings that fit a machine of a few cores. */
export const quickjsSandboxDefaults = { childrenMax: 8, runsPerChild: 2_000, idleMs: 60_000, startMs: 20_000 } as const

/** Programs wait this long for a child that comes free before one more is started than there are cores. */
const patienceMs = 100

/** A sandbox of warm child processes, each program in a wasm memory of its own. */
export function createQuickjsSandbox(settings: QuickjsSandboxSettings): Sandbox {
  assert(settings.childrenMax >= 1, 'a sandbox needs a child')
  const closing = new AbortController()
  const pool = createPool(settings)
  return {
    run: async (run) => {
      if (closing.signal.aborted) throw closed()
      const signal = AbortSignal.any([run.signal, closing.signal])
      signal.throwIfAborted()
      const child = await pool.take(signal)
      const { outcome, isWhole } = await converse(
        { link: child.link(run.limits.cpuMs), clock: settings.clock },
        { ...run, signal },
      )
      pool.giveBack(child, isWhole)
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
  /** A child that is ready. Rejects with `signal.reason`, or Fault `sandbox_unavailable` when none can be started. */
  take(signal: AbortSignal): Promise<Child>
  giveBack(child: Child, isReusable: boolean): void
  close(): Promise<void>
}

function createPool(settings: QuickjsSandboxSettings): Pool {
  const children = new Set<Child>()
  const idle = new Map<Child, NodeJS.Timeout>()
  const waiting: (PromiseWithResolvers<Child> & { readonly sinceMs: number })[] = []
  let starting = 0
  let patience: NodeJS.Timeout | undefined

  const keep = (child: Child): void => {
    const next = waiting.shift()
    if (next) next.resolve(child)
    else idle.set(child, setTimeout(() => child.kill(), settings.idleMs).unref())
  }

  /** Whether one more child is worth its start: beyond one a core it only is where programs wait for their tools. */
  const isWorthOne = (): boolean => {
    if (children.size < availableParallelism()) return true
    const [longest] = waiting
    return longest !== undefined && settings.clock.monotonicMs() - longest.sinceMs >= patienceMs
  }

  const lookAgain = (): void => {
    patience ??= setTimeout(() => {
      patience = undefined
      void hire()
    }, patienceMs).unref()
  }

  /** One at a time: while it starts, others come free. */
  const hire = async (): Promise<void> => {
    if (starting > 0 || waiting.length === 0 || children.size >= settings.childrenMax) return
    if (!isWorthOne()) return lookAgain()
    starting += 1
    const child = startChild(settings)
    children.add(child)
    void child.gone.then(() => {
      clearTimeout(idle.get(child))
      idle.delete(child)
      children.delete(child)
      void hire()
    })
    const isReady = await child.ready
    starting -= 1
    if (isReady) keep(child)
    else {
      child.kill()
      waiting.shift()?.reject(unavailable())
    }
    void hire()
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
      void hire()
      return await turn.promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
    giveBack: (child, isReusable) => {
      if (!children.has(child)) return
      if (isReusable && child.runsDone < settings.runsPerChild) keep(child)
      else child.kill()
    },
    close: async () => {
      clearTimeout(patience)
      const gone = [...children].map((child) => child.gone)
      for (const child of children) child.kill()
      await Promise.all(gone)
    },
  }
}

const closed = (): Fault => new Fault('unavailable', 'sandbox_closed', 'The service is stopping; try again.')

const unavailable = (): Fault =>
  new Fault(
    'unavailable',
    'sandbox_unavailable',
    'No sandbox could be started for the program; nothing runs outside of one.',
  )
