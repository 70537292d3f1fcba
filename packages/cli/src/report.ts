import type { AgentExecutionResponse as Execution, ExecutionEvent } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { durationText } from '@skillrun/core/figures.ts'
import type { Client } from './client.ts'
import { exitCodes } from './exit-codes.ts'
import { printable, renderDollars, renderJson } from './render.ts'
import type { Terminal } from './terminal.ts'

/** The command that fetches the result of an execution later. */
export const laterCommand = (id: string): string => `skillrun executions get ${id} --wait`

/** How often the progress line is redrawn. */
const tickMs = 1_000

/**
 * Waits for an execution and shows its progress on stderr. When the caller stops waiting, by a signal or the time limit, it
 * prints how to get the result later and rethrows. Throws Fault `timeout` when `timeoutMs` passes first (the execution
 * continues), and what `Client` throws.
 */
export async function followExecution(
  first: Execution,
  how: { client: Client; terminal: Terminal; timeoutMs: number | undefined },
): Promise<Execution> {
  const { client, terminal, timeoutMs } = how
  if (isSettled(first.status)) return first
  const progress = showProgress(first, terminal)
  const { signal } = terminal
  try {
    return await client.wait(first.id, {
      signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs: Math.ceil(timeoutMs) }),
      onEvent: progress.onEvent,
      onRecord: progress.onRecord,
    })
  } catch (error) {
    const isLate = !signal.aborted && error instanceof Error && error.name === 'TimeoutError'
    const goesOn = signal.aborted || isLate || (error instanceof Fault && isPassing.has(error.kind))
    if (goesOn) terminal.log(`The execution continues; get its result with: ${laterCommand(first.id)}`)
    if (isLate)
      throw new Fault(
        'timeout',
        'wait_timeout',
        `The execution is still ${progress.status()} after ${(timeoutMs ?? 0) / 1000} s`,
      )
    throw error
  } finally {
    progress.stop()
  }
}

const isPassing: ReadonlySet<Fault['kind']> = new Set(['timeout', 'unavailable'])

/** A line for each change of state and, on a terminal, a progress line with the last step and the elapsed time. */
function showProgress({ id, status: from }: Execution, terminal: Terminal) {
  const startedMs = terminal.clock.monotonicMs()
  let status = from
  let reported: string | undefined
  let lastStep = ''
  // The record is fetched before the events, which then replay everything from the start.
  let looks = 0
  const live = () => {
    if (isSettled(status)) return
    const waited = durationText(terminal.clock.monotonicMs() - startedMs)
    terminal.logLive(`${printable(status)} for ${waited}${lastStep}`)
  }
  const onStatus = (now: Execution['status']) => {
    status = now
    if (!isSettled(now) && now !== reported) terminal.log(`execution ${printable(id)} is ${printable(now)}`)
    reported = now
    live()
  }
  const onEvent = (event: ExecutionEvent) => {
    if (event.event === 'status') return onStatus(event.data.status)
    const { seq, name, cost_dollars, started_at, ended_at } = event.data
    const took = durationText(Date.parse(ended_at) - Date.parse(started_at))
    const step = `step ${seq}: ${printable(name)}, ${took}, ${renderDollars(cost_dollars)}`
    lastStep = ` · ${step}`
    if (!terminal.isLive) terminal.log(step)
    live()
  }
  const onRecord = (record: Execution) => {
    looks += 1
    if (looks > 1) onStatus(record.status)
  }
  const timer = terminal.isLive ? setInterval(live, tickMs) : undefined
  return { onRecord, onEvent, status: () => status, stop: () => clearInterval(timer) }
}

const isSettled = (status: string): boolean => status === 'completed' || status === 'failed' || status === 'paused'

/**
 * Prints a finished execution: its response or its full record on stdout, everything else on stderr. Returns the exit code.
 */
export function reportOutcome(execution: Execution, how: { terminal: Terminal; record: boolean }): number {
  const { terminal, record } = how
  if (record) terminal.print(renderJson(execution))
  if (execution.status === 'completed') {
    if (!record) terminal.print(renderJson(execution.response ?? null))
    terminal.log(`completed${usageWords(execution)}`)
    const lines = [
      ...messageLines(execution),
      ...warningLines(execution, ['not_found', 'ignored_field']),
      ...unsureLines(execution),
      ...lookLines(execution),
    ]
    for (const line of lines) terminal.log(line)
    return exitCodes.completed
  }
  const wait = waitOf(execution)
  if (wait !== undefined) {
    terminal.log(wait)
    return exitCodes.failed
  }
  const { code, message } = failureOf(execution)
  const verb = execution.status === 'paused' ? 'is paused' : 'failed'
  terminal.log(
    `skillrun: the execution ${printable(execution.id)} ${verb}${code ? ` (${printable(code)})` : ''}: ${printable(message)}`,
  )
  for (const line of [...warningLines(execution, ['not_found']), ...unsureLines(execution)]) terminal.log(line)
  return exitCodes.failed
}

/** What to do about an execution that waits for an approval. */
function waitOf({ id, status, approval }: Execution): string | undefined {
  if (status !== 'paused' || !approval || approval.decision !== null) return undefined
  const what = approval.waiting_for === 'tool' ? `to call ${approval.tool}` : 'to complete'
  return printable(
    `skillrun: the execution ${id} waits for an approval ${what}; decide with: skillrun approve ${id}, or: skillrun reject ${id}`,
  )
}

/** The message of a completed execution, if any. */
const messageLines = ({ usage }: Execution): readonly string[] =>
  usage?.message ? [`note: ${printable(usage.message)}`] : []

/** A line for each warning, except those about missing fields, which the message already names. */
const warningLines = ({ warnings }: Execution, toldCodes: readonly string[]): readonly string[] =>
  (warnings ?? [])
    .filter(({ code }) => !toldCodes.includes(code))
    .map(({ path, message }) => `warning: ${path ? `${printable(path)}: ` : ''}${printable(message)}`)

/** A line for each field that is null because none of its likely values was sure enough. */
const unsureLines = ({ evidence }: Execution): readonly string[] =>
  Object.entries(evidence ?? {}).flatMap(([path, { candidates = [] }]) => {
    const likely = candidates.map(
      ({ value, confidence }) => `${JSON.stringify(value)} (${Math.round(confidence * 100)} %)`,
    )
    return likely.length === 0 ? [] : [`not sure enough: ${printable(path)}: ${printable(likely.join(', '))}`]
  })

const looksShownMax = 5

/** A line that names the given values that a person should check. Those that are not given have lines of their own. */
function lookLines({ needs_look, evidence }: Execution): readonly string[] {
  const given = (needs_look ?? []).filter((path) => evidence?.[path]?.status !== 'unsupported')
  if (given.length === 0) return []
  const more = given.length > looksShownMax ? ` and ${given.length - looksShownMax} more` : ''
  return [`needs a look: ${printable(given.slice(0, looksShownMax).join(', '))}${more}`]
}

const failureOf = ({ error, usage }: Execution): { code: string | undefined; message: string } => ({
  code: error?.code,
  message: error?.message || usage?.message || 'the server gave no reason',
})

function usageWords({ usage, created_at, completed_at }: Execution): string {
  const tookMs = Date.parse(completed_at ?? '') - Date.parse(created_at ?? '')
  const elements = usage?.elements_processed ?? 0
  const words = [
    Number.isFinite(tookMs) ? `in ${durationText(tookMs)}` : undefined,
    elements > 0 ? `${elements} ${printable(usage.element_type ?? 'element')}${elements === 1 ? '' : 's'}` : undefined,
    typeof usage?.cost_dollars === 'number' ? renderDollars(usage.cost_dollars) : undefined,
  ].filter((word) => word !== undefined)
  return words.length > 0 ? ` ${words.join(', ')}` : ''
}
