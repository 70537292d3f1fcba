import { failed } from './failures.ts'
import { frameBytesMax, frameOf, readFrames } from './frames.ts'
import { openRealm, type Realm, restoreUsed } from './realm.ts'
import type { FromChild, ToChild } from './turn.ts'

let present: { readonly run: number; readonly realm: Realm; readonly outputBytesMax: number } | undefined

async function answer(message: ToChild): Promise<void> {
  if (message.type === 'open') {
    const { run, limits } = message
    present = { run, realm: await openRealm(message), outputBytesMax: limits.outputBytesMax }
    sendTurn((realm) => realm.begin())
    return
  }
  // The program may have ended before this settlement arrived.
  if (present?.run === message.run) sendTurn((realm) => realm.settle(message))
}

function sendTurn(take: (realm: Realm) => ReturnType<Realm['begin']>): void {
  if (present === undefined) return
  const { run, realm, outputBytesMax } = present
  const turn = take(realm)
  if (turn.end !== null) {
    present = undefined
    // The caller gets its answer first.
    setImmediate(restoreUsed)
  }
  const frame = frameOf({ type: 'turn', run, ...turn } satisfies FromChild)
  if (frame.length <= frameBytesMax) {
    send(frame)
    return
  }
  present = undefined
  const end = failed('program_output', `The program gives more than ${outputBytesMax} bytes at once`)
  send(frameOf({ type: 'turn', run, calls: [], console: [], end } satisfies FromChild))
}

function send(frame: Buffer): void {
  process.stdout.write(frame)
}

/** Handles messages one at a time: a settlement waits until its realm is open. */
let before = Promise.resolve()
const read = readFrames(frameBytesMax, {
  onMessage: (message) => {
    before = before.then(() => answer(message as ToChild))
  },
  onBad: () => process.exit(1),
})
process.stdin.on('data', read)
// The parent process ended.
process.stdin.on('end', () => process.exit(0))
send(frameOf({ type: 'ready' } satisfies FromChild))
