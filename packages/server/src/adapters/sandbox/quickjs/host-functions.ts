import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { SandboxLimits } from '../sandbox.ts'
import { failed, programError } from './failures.ts'
import type { TurnEnd } from './turn.ts'

/** What a realm has sent since the last turn, and how much of its limits it has used. */
export interface RealmOutput {
  calls: { id: number; name: string; json: string }[]
  console: string[]
  end: TurnEnd | null
  /** Total length of `calls`, in characters. */
  callCharacters: number
  hostCalls: number
  consoleBytes: number
  isSpoiled: boolean
}

/** The program that a realm runs now. */
export interface RunningProgram {
  readonly output: RealmOutput
  readonly limits: SandboxLimits
  /** The end of a program that exceeded its CPU time; null while it has not. */
  readonly overdue: () => TurnEnd | null
}

export const emptyOutput = (): RealmOutput => ({
  calls: [],
  console: [],
  end: null,
  callCharacters: 0,
  hostCalls: 0,
  consoleBytes: 0,
  isSpoiled: false,
})

/** Records an end; the first one wins. */
export function endWith(output: RealmOutput, how: TurnEnd): void {
  output.end ??= how
}

type Act = (text: (at: number) => string, length: (at: number) => number, present: RunningProgram) => void

/** Implementations of `HostApi`, by name. The lengths of strings are checked before the strings are copied out. */
const acts: Readonly<Record<string, Act>> = {
  send: (text, length, { output, limits }) => {
    output.callCharacters += length(2)
    output.hostCalls += 1
    if (output.callCharacters > limits.outputBytesMax) endWith(output, outputOver(limits))
    else if (output.hostCalls > limits.hostCallsMax)
      endWith(output, failed('program_host_calls', `The program makes more than ${limits.hostCallsMax} tool calls`))
    else output.calls.push({ id: Number(text(0)), name: text(1), json: text(2) })
  },
  log: (text, length, { output, limits }) => {
    output.consoleBytes += length(0) + 1
    if (output.consoleBytes > limits.consoleBytesMax) {
      const words = `The program writes more than ${limits.consoleBytesMax} bytes to its console`
      endWith(output, failed('program_console', words))
    } else output.console.push(text(0).replaceAll('\u0000', '').toWellFormed())
  },
  finish: (text, length, { output, limits }) => {
    if (length(0) > limits.outputBytesMax) endWith(output, outputOver(limits))
    else endWith(output, { ended: 'returned', json: text(0) })
  },
  fail: (text, _length, { output, limits }) => {
    endWith(output, programError({ code: text(0), name: text(1), message: text(2), stack: text(3) }, limits))
  },
}

const outputOver = ({ outputBytesMax }: SandboxLimits): TurnEnd =>
  failed('program_output', `The program sends more than ${outputBytesMax} bytes at once`)

/** Creates the functions that a realm calls. They accept only strings and never throw into the realm. */
export function createHostApi(context: QuickJSContext, present: () => RunningProgram): QuickJSHandle {
  const hostApi = context.newObject()
  for (const [name, act] of Object.entries(acts)) {
    const given = context.newFunction(name, (...words) => {
      if (present().output.end !== null) return
      const word = (at: number): QuickJSHandle => words[at] ?? context.undefined
      const text = (at: number): string => context.getString(word(at))
      const length = (at: number): number =>
        context.getProp(word(at), 'length').consume((one) => context.getNumber(one))
      act(text, length, present())
    })
    context.setProp(hostApi, name, given)
  }
  return hostApi
}
