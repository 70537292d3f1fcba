import type { SandboxLimits } from '../sandbox.ts'
import type { TurnEnd } from './turn.ts'

const messageCharactersMax = 2_000

/** The file name of the program in stack traces. */
export const programFile = 'program.ts'

/** The end of a failed program. The message may come from the program: it is truncated and has no character that PostgreSQL rejects. */
export const failed = (code: string, message: string, line: number | null = null): TurnEnd => ({
  ended: 'failed',
  code,
  message: message.replaceAll('\u0000', '').toWellFormed().slice(0, messageCharactersMax),
  line,
})

export const cpuOver = ({ cpuMs }: SandboxLimits): TurnEnd =>
  failed('program_cpu', `The program used more than ${cpuMs / 1000} seconds of CPU time`)

export const memoryOver = ({ memoryMb }: SandboxLimits): TurnEnd =>
  failed('program_memory', `The program needs more than ${memoryMb} MB of memory`)

const tooDeep = (line: number | null): TurnEnd => failed('program_error', 'The program recurses too deeply', line)

/** An error thrown by our own call into the wasm module: its memory or stack is exhausted, and the realm is unusable. */
export function interpreterFailure(error: unknown, limits: SandboxLimits): TurnEnd {
  const words = error instanceof Error ? `${error.name} ${error.message}` : ''
  return /call stack|stack overflow/i.test(words) ? tooDeep(null) : memoryOver(limits)
}

/** What `realm-bootstrap.ts` reports for `throw null`. Programs rarely do that; an interpreter without memory for an Error does. */
const nullThrown = 'It threw null, which is not an Error'

/** Whether this end may mean that memory ran out before an error message could be created. */
export const hasNoMessage = (end: TurnEnd | null): boolean =>
  end?.ended === 'failed' && (end.message === nullThrown || end.message === '')

/** Converts an error of the program, given as the strings of its properties. */
export function programError(
  { code, name, message, stack }: Readonly<Record<'code' | 'name' | 'message' | 'stack', string>>,
  limits: SandboxLimits,
): TurnEnd {
  const line = lineOf(stack)
  if (message === 'out of memory') return memoryOver(limits)
  if (/^(stack overflow|Maximum call stack size exceeded)/.test(message)) return tooDeep(line)
  return failed(code, name === '' || name === 'Error' ? message : `${name}: ${message}`, line)
}

/** The innermost line of the program in a stack trace. */
function lineOf(stack: string): number | null {
  const line = /program\.ts:(\d+)/.exec(stack)?.[1]
  return line === undefined ? null : Number(line)
}

/** Source that is not TypeScript with erasable types. Node puts the line number before its own stack. */
export function unreadableSource(error: unknown): TurnEnd {
  const { message, stack = '' } = error instanceof Error ? error : new Error('The program cannot be read')
  const line = /^:(\d+)\n/.exec(stack)?.[1]
  return failed('program_syntax', message, line === undefined ? null : Number(line))
}

const refusals = new Set(['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'])

/** Whether type stripping rejected the source. Any other error means that the parser itself is broken and cannot be used again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && refusals.has(String(error.code))
