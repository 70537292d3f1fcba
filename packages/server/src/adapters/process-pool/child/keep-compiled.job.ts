import { flushCompileCache } from 'node:module'

/** Writes down what was compiled so far in this process. */
export default function keepCompiled(): void {
  flushCompileCache()
}
