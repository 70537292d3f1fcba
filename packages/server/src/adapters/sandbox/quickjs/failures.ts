import type { SandboxLimits } from '../sandbox.ts'
import type { TurnEnd } from './turn.ts'

const messageCharactersMax = 2_000

/** The name that a program's source has in its own stack. */
export const programFile = 'program.ts'

/** An end in failure. Words may be the program's own: they are cut, and hold nothing that a database does not keep. */
export const failed = (code: string, message: string, line: number | null = null): TurnEnd => ({
  ended: 'failed',
  code,
  message: message.replaceAll('\u0000', '').toWellFormed().slice(0, messageCharactersMax),
  line,
})

/** A program that computes for too long. */
export const cpuOver = ({ cpuMs }: SandboxLimits): TurnEnd =>
  failed('program_cpu', `The program computes for more than ${cpuMs / 1000} seconds`)

/** A program that needs too much memory. */
export const memoryOver = ({ memoryMb }: SandboxLimits): TurnEnd =>
  failed('program_memory', `The program takes more than ${memoryMb} MB of memory`)

const tooDeep = (line: number | null): TurnEnd => failed('program_error', 'The program calls itself too deeply', line)

/** What our own call into the module threw: its memory or its stack is at its end, and the world with it. */
export function brokenWorld(error: unknown, limits: SandboxLimits): TurnEnd {
  const words = error instanceof Error ? `${error.name} ${error.message}` : ''
  return /call stack|stack overflow/i.test(words) ? tooDeep(null) : memoryOver(limits)
}

/** What `within.ts` says of null that was thrown: programs seldom do that, an interpreter without memory for an error does. */
const nullThrown = 'It threw null, which is no Error'

/** Whether an end may be that of the memory, which had no room for its words. */
export const isWordless = (end: TurnEnd | null): boolean =>
  end?.ended === 'failed' && (end.message === nullThrown || end.message === '')

/** An error of the program by what it says of itself. */
export function programError(
  { code, name, message, stack }: Readonly<Record<'code' | 'name' | 'message' | 'stack', string>>,
  limits: SandboxLimits,
): TurnEnd {
  const line = lineOf(stack)
  if (message === 'out of memory') return memoryOver(limits)
  if (/^(stack overflow|Maximum call stack size exceeded)/.test(message)) return tooDeep(line)
  return failed(code, name === '' || name === 'Error' ? message : `${name}: ${message}`, line)
}

/** The innermost line of the program in a stack. */
function lineOf(stack: string): number | null {
  const line = /program\.ts:(\d+)/.exec(stack)?.[1]
  return line === undefined ? null : Number(line)
}

/** Source that cannot be read as TypeScript whose types can be taken away: Node puts the line before its own stack. */
export function unreadableSource(error: unknown): TurnEnd {
  const { message, stack = '' } = error instanceof Error ? error : new Error('The program cannot be read')
  const line = /^:(\d+)\n/.exec(stack)?.[1]
  return failed('program_syntax', message, line === undefined ? null : Number(line))
}

const refusals = new Set(['ERR_INVALID_TYPESCRIPT_SYNTAX', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'])

/** Whether the reader of TypeScript refused, and did not break: one that broke reads nothing any more. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && refusals.has(String(error.code))
