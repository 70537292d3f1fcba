import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Fault, type FaultKind } from '@skillrun/core/fault.ts'
import { serverFile } from '../server-process.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Does maintenance on the server's data in a separate process, which uses the server's environment variables. Throws the Fault
 * that it reports.
 */
export async function maintain<Done>(
  terminal: Terminal,
  order: { readonly act: string; readonly [name: string]: unknown },
  data: string | undefined,
  database?: string,
): Promise<Done> {
  const child = spawn(process.execPath, [serverFile('maintain.ts'), JSON.stringify(order)], {
    // The process notices the end of this channel, and stops its work.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...terminal.environment,
      ...(data === undefined ? {} : { SKILLRUN_DATA: data }),
      ...(database === undefined ? {} : { DATABASE_URL: database }),
    },
  })
  // A terminal sends Ctrl-C to the child as well; a supervisor does not.
  const stop = () => void child.kill('SIGTERM')
  terminal.signal.addEventListener('abort', stop, { once: true })
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject))
  const [output] = await Promise.all([text(child.stdout as Readable), ended]).finally(() =>
    terminal.signal.removeEventListener('abort', stop),
  )
  const answer = parsed(output)
  if (answer && 'done' in answer) return answer.done as Done
  if (answer) throw new Fault(answer.fault.kind, answer.fault.code, answer.fault.message)
  throw new Fault('unavailable', 'maintenance_ended', 'The maintenance process ended without an answer')
}

type Answer = { readonly done: unknown } | { readonly fault: { kind: FaultKind; code: string; message: string } }

function parsed(output: string): Answer | undefined {
  try {
    return JSON.parse(output) as Answer
  } catch {
    return undefined
  }
}
