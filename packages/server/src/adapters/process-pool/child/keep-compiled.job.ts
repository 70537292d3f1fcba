import { flushCompileCache } from 'node:module'

/** Saves the code compiled so far in this process. */
export default function keepCompiled(): void {
  flushCompileCache()
}
