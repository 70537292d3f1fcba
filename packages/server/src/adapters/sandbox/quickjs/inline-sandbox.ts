import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sandbox } from '../sandbox.ts'
import { converse, type Link } from './converse.ts'
import { openWorld, type World } from './world.ts'

/**
 * A sandbox in this process, for tests: the same worlds without a wall around them. What no interrupt within can end
 * holds up this process, and a program that breaks the reader of TypeScript breaks it for all.
 */
export function createInlineSandbox({ clock }: { readonly clock: Pick<Clock, 'monotonicMs'> }): Sandbox {
  const closing = new AbortController()
  const closed = (): Fault => new Fault('unavailable', 'sandbox_closed', 'The service is stopping; try again.')
  return {
    run: async (run) => {
      if (closing.signal.aborted) throw closed()
      const signal = AbortSignal.any([run.signal, closing.signal])
      const { outcome } = await converse({ link: inlineLink(), clock }, { ...run, signal })
      if ('error' in outcome) throw outcome.error
      return outcome
    },
    close: async () => closing.abort(closed()),
  }
}

function inlineLink(): Link {
  let world: World | undefined
  return {
    open: async (opening) => {
      world = await openWorld(opening)
      return world.begin()
    },
    settle: async (settlement) => world?.settle(settlement) ?? { calls: [], console: [], end: null },
  }
}
