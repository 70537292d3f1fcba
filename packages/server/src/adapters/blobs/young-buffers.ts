import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Between two collections: a chunk is 64 KiB, so these are a few hundred. */
const everyBytes = 16 * 1024 * 1024

/**
 * Says when to collect what chunks of a stream have left behind. V8 counts memory outside of its heap and looks for what is
 * free of it at 64 MiB: a stream of small buffers, each dead at once, grows the process by that much, and every stream beside
 * it by as much again. Collecting the young generation every 16 MiB takes about a millisecond each time.
 */
export function youngBuffers(): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < everyBytes) return
    since = 0
    collectYoung()
  }
}

let collect: ((options: { type: 'minor' }) => void) | undefined

function collectYoung(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as typeof collect
  }
  collect?.({ type: 'minor' })
}
