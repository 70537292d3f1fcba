import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sandbox } from '../sandbox.ts'
import { converse, type Link } from './converse.ts'
import { openRealm, type Realm } from './realm.ts'

/**
 * A sandbox in this process, for tests: the same realms without process isolation. A program that cannot be interrupted
 * blocks this process, and one that breaks the TypeScript parser breaks it for every later program.
 */
export function createInlineSandbox({ clock }: { readonly clock: Pick<Clock, 'monotonicMs'> }): Sandbox {
  const closing = new AbortController()
  const closed = (): Fault => new Fault('unavailable', 'sandbox_closed', 'The server is stopping; try again.')
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
  let realm: Realm | undefined
  return {
    open: async (opening) => {
      realm = await openRealm(opening)
      return realm.begin()
    },
    settle: async (settlement) => realm?.settle(settlement) ?? { calls: [], console: [], end: null },
  }
}
