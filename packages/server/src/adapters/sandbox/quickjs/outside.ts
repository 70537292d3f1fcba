import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { SandboxLimits } from '../sandbox.ts'
import { failed, programError } from './failures.ts'
import type { TurnEnd } from './turn.ts'

/** What a world has said since it was last looked at, and how far it has used what it may. */
export interface Said {
  calls: { id: number; name: string; json: string }[]
  console: string[]
  end: TurnEnd | null
  /** Characters of `calls`. */
  callCharacters: number
  hostCalls: number
  consoleBytes: number
  isSpoiled: boolean
}

/** Whose world it is, and what came of it so far. */
export interface Present {
  readonly said: Said
  readonly limits: SandboxLimits
  /** The end of a program that computes for too long; null as long as it does not. */
  readonly overdue: () => TurnEnd | null
}

export const nothingSaid = (): Said => ({
  calls: [],
  console: [],
  end: null,
  callCharacters: 0,
  hostCalls: 0,
  consoleBytes: 0,
  isSpoiled: false,
})

/** The first end is the end. */
export function endWith(said: Said, how: TurnEnd): void {
  said.end ??= how
}

type Act = (text: (at: number) => string, length: (at: number) => number, present: Present) => void

/** What a world says, by name. Texts are bounded before they are copied out. */
const acts: Readonly<Record<string, Act>> = {
  send: (text, length, { said, limits }) => {
    said.callCharacters += length(2)
    said.hostCalls += 1
    if (said.callCharacters > limits.outputBytesMax) endWith(said, outputOver(limits))
    else if (said.hostCalls > limits.hostCallsMax)
      endWith(said, failed('program_host_calls', `The program calls tools more than ${limits.hostCallsMax} times`))
    else said.calls.push({ id: Number(text(0)), name: text(1), json: text(2) })
  },
  log: (text, length, { said, limits }) => {
    said.consoleBytes += length(0) + 1
    if (said.consoleBytes > limits.consoleBytesMax) {
      const words = `The program writes more than ${limits.consoleBytesMax} bytes to its console`
      endWith(said, failed('program_console', words))
    } else said.console.push(text(0).replaceAll('\u0000', '').toWellFormed())
  },
  finish: (text, length, { said, limits }) => {
    if (length(0) > limits.outputBytesMax) endWith(said, outputOver(limits))
    else endWith(said, { ended: 'returned', json: text(0) })
  },
  fail: (text, _length, { said, limits }) => {
    endWith(said, programError({ code: text(0), name: text(1), message: text(2), stack: text(3) }, limits))
  },
}

const outputOver = ({ outputBytesMax }: SandboxLimits): TurnEnd =>
  failed('program_output', `The program gives more than ${outputBytesMax} bytes at once`)

/** The functions through which a world speaks. They take texts alone, and never throw through it. */
export function giveOutside(context: QuickJSContext, present: () => Present): QuickJSHandle {
  const outside = context.newObject()
  for (const [name, act] of Object.entries(acts)) {
    const given = context.newFunction(name, (...words) => {
      if (present().said.end !== null) return
      const word = (at: number): QuickJSHandle => words[at] ?? context.undefined
      const text = (at: number): string => context.getString(word(at))
      const length = (at: number): number =>
        context.getProp(word(at), 'length').consume((one) => context.getNumber(one))
      act(text, length, present())
    })
    context.setProp(outside, name, given)
  }
  return outside
}
