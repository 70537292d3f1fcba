import { type FindBubblewrap, findBubblewrap } from './adapters/sandbox/bubblewrap.ts'
import type { Config } from './config.ts'

/** Searches for bubblewrap on first use, once for each user that runs it. */
export function makeSandboxFinder({ privatePaths }: Pick<Config, 'privatePaths'>): FindBubblewrap {
  const looked = new Map<number | undefined, ReturnType<FindBubblewrap>>()
  const look: FindBubblewrap = async (as) => {
    const environment = { PATH: process.env['PATH'] }
    return findBubblewrap({ environment, hidden: privatePaths, ...(as === undefined ? {} : { as }) })
  }
  return (as) => {
    const found = looked.get(as?.uid) ?? look(as)
    looked.set(as?.uid, found)
    return found
  }
}
