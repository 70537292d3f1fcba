import { type Context, createContext, Script } from 'node:vm'

/** Work exceeded its time limit. */
export class OutOfTime extends Error {
  override name = 'OutOfTime'
}

const script = new Script('work()')
let context: Context | undefined

/**
 * Runs synchronous work with a time limit: returns or throws what `work` does, or throws OutOfTime after `wallMs`
 * milliseconds. Interrupts any JavaScript, including backtracking regular expressions, without other damage. Costs about a
 * tenth of a millisecond.
 */
export function withinTime<T>(wallMs: number, work: () => T): T {
  context ??= createContext({})
  context['work'] = work
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(wallMs)) }) as T
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new OutOfTime(`did not finish within ${wallMs} ms`)
    throw error
  }
}
