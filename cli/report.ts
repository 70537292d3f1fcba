import { Fault } from '../src/kit/fault.ts'
import { isJsonObject } from '../src/kit/json.ts'
import type { Client, Execution } from './client.ts'
import { exitCodes } from './exit-codes.ts'
import { printable, renderDollars, renderDuration, renderJson } from './render.ts'
import type { Terminal } from './terminal.ts'
import { isSettled, waitForExecution } from './wait.ts'

/** The command that gets the result of an execution later. */
export const laterCommand = (id: string): string => `skillrun executions get ${id} --wait`

/**
 * Waits for an execution with its progress on stderr. A caller who stops waiting, by a signal or the time limit, is told
 * how to get the result later; the error goes on. Throws what `waitForExecution` throws.
 */
export async function followExecution(
  first: Execution,
  how: { client: Client; terminal: Terminal; timeoutMs: number | undefined },
): Promise<Execution> {
  const { client, terminal, timeoutMs } = how
  let shown: string | undefined
  const onLook = (execution: Execution, waitedMs: number) => {
    if (isSettled(execution)) return
    if (execution.status !== shown)
      terminal.tell(`execution ${printable(execution.id)} is ${printable(execution.status)}`)
    shown = execution.status
    terminal.tellLive(`${printable(execution.status)} for ${renderDuration(waitedMs)}`)
  }
  try {
    return await waitForExecution(first, { client, clock: terminal.clock, signal: terminal.signal, timeoutMs, onLook })
  } catch (error) {
    const goesOn =
      terminal.signal.aborted || (error instanceof Fault && (error.kind === 'timeout' || error.kind === 'unavailable'))
    if (goesOn) terminal.tell(`The execution goes on; get its result with: ${laterCommand(first.id)}`)
    throw error
  }
}

/**
 * Shows how an execution ended: its response alone on stdout, or its whole record; the rest on stderr. Answers the exit
 * code.
 */
export function reportOutcome(execution: Execution, how: { terminal: Terminal; record: boolean }): number {
  const { terminal, record } = how
  if (record) terminal.print(renderJson(execution))
  if (execution.status === 'completed') {
    if (!record) terminal.print(renderJson(execution['response'] ?? null))
    terminal.tell(`completed${usageWords(execution)}`)
    return exitCodes.completed
  }
  const { code, message } = failureOf(execution)
  const verb = execution.status === 'paused' ? 'is paused' : 'failed'
  terminal.tell(
    `skillrun: the execution ${printable(execution.id)} ${verb}${code ? ` (${printable(code)})` : ''}: ${printable(message)}`,
  )
  return exitCodes.failed
}

function failureOf(execution: Execution): { code: string | undefined; message: string } {
  const error = isJsonObject(execution['error']) ? execution['error'] : {}
  const usage = isJsonObject(execution['usage']) ? execution['usage'] : {}
  const message = [error['message'], usage['message']].find((each) => typeof each === 'string' && each !== '')
  return {
    code: typeof error['code'] === 'string' ? error['code'] : undefined,
    message: typeof message === 'string' ? message : 'the server gave no reason',
  }
}

function usageWords(execution: Execution): string {
  const usage = isJsonObject(execution['usage']) ? execution['usage'] : {}
  const tookMs = Date.parse(execution.completed_at ?? '') - Date.parse(execution.created_at ?? '')
  const elements = Number(usage['elements_processed'] ?? 0)
  const words = [
    Number.isFinite(tookMs) ? `in ${renderDuration(tookMs)}` : undefined,
    elements > 0
      ? `${elements} ${printable(String(usage['element_type'] ?? 'element'))}${elements === 1 ? '' : 's'}`
      : undefined,
    typeof usage['cost_dollars'] === 'number' ? renderDollars(usage['cost_dollars']) : undefined,
  ].filter((word) => word !== undefined)
  return words.length > 0 ? ` ${words.join(', ')}` : ''
}
