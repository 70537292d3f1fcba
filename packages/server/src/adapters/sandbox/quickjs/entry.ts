import { failed } from './failures.ts'
import { frameBytesMax, frameOf, readFrames } from './frames.ts'
import type { FromChild, ToChild } from './turn.ts'
import { openWorld, tidyUp, type World } from './world.ts'

let present: { readonly run: number; readonly world: World; readonly outputBytesMax: number } | undefined

async function answer(message: ToChild): Promise<void> {
  if (message.type === 'open') {
    const { run, limits } = message
    present = { run, world: await openWorld(message), outputBytesMax: limits.outputBytesMax }
    tellTurn((world) => world.begin())
    return
  }
  // A settlement may come when its program has ended already.
  if (present?.run === message.run) tellTurn((world) => world.settle(message))
}

function tellTurn(take: (world: World) => ReturnType<World['begin']>): void {
  if (present === undefined) return
  const { run, world, outputBytesMax } = present
  const turn = take(world)
  if (turn.end !== null) {
    present = undefined
    // Whoever waits for the answer has it first.
    setImmediate(tidyUp)
  }
  const frame = frameOf({ type: 'turn', run, ...turn } satisfies FromChild)
  if (frame.length <= frameBytesMax) {
    tell(frame)
    return
  }
  present = undefined
  const end = failed('program_output', `The program gives more than ${outputBytesMax} bytes at once`)
  tell(frameOf({ type: 'turn', run, calls: [], console: [], end } satisfies FromChild))
}

function tell(frame: Buffer): void {
  process.stdout.write(frame)
}

/** One message after the other: a settlement waits until its world is open. */
let before = Promise.resolve()
const read = readFrames(frameBytesMax, {
  onMessage: (message) => {
    before = before.then(() => answer(message as ToChild))
  },
  onBad: () => process.exit(1),
})
process.stdin.on('data', read)
// Whoever began this process is gone.
process.stdin.on('end', () => process.exit(0))
tell(frameOf({ type: 'ready' } satisfies FromChild))
