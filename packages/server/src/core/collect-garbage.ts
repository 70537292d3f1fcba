import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'major' | 'minor'; readonly execution?: 'async' }) => unknown

let collect: Collect | undefined

/** Collects garbage now: `major` in a task of its own and everything, `minor` at once and only what is young. */
export function collectGarbage(type: 'major' | 'minor'): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  collect(type === 'major' ? { type, execution: 'async' } : { type })
}
