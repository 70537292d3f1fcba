import type { FeedbackListResponse, FeedbackSubmitResponse } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Command } from '../command.ts'
import { readJsonFile } from '../local-json.ts'
import { wholeNumber } from '../options.ts'
import { printable, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

interface GiveOptions {
  readonly response?: string
  readonly notes?: string
}

/** `skillrun feedback`: feedback on answers. */
export function addFeedback(program: Command, terminal: Terminal): void {
  const feedback = program
    .command('feedback')
    .description('give and list feedback on executions')
    .examples('skillrun feedback give 0192f0c1-… --response right.json')
  feedback
    .command('give <EXECUTION>')
    .description('give feedback on an execution: the correct response, notes or both')
    .option('--response <FILE>', 'correct response, as a JSON object')
    .option('--notes <TEXT>', 'notes on the execution')
    .examples(
      'skillrun feedback give 0192f0c1-… --response right.json',
      'skillrun feedback give 0192f0c1-… --notes "The tax is missing"',
    )
    .action(async (id: string, { response, notes }: GiveOptions, command: Command) => {
      if (response === undefined && notes === undefined)
        throw new Fault('invalid', 'nothing_said', 'Give --response, --notes or both')
      const right = response === undefined ? {} : { response: await readJsonFile(response, terminal, 'response') }
      const body = { agent_execution_id: id, ...right, ...(notes === undefined ? {} : { notes }) }
      const client = await command.connect()
      const kept = await client.call<FeedbackSubmitResponse>('/v1/feedback/submit', { method: 'POST', body })
      command.report(kept, `saved as feedback ${printable(kept.id)}`)
    })
  feedback
    .command('list <EXECUTION>')
    .description('list the feedback on an execution')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 50)
    .examples('skillrun feedback list 0192f0c1-…')
    .action(async (id: string, { limit }: { limit: number }, command: Command) => {
      const client = await command.connect()
      const path = `/v1/feedback/${encodeURIComponent(id)}`
      const found = await client.call<FeedbackListResponse>(path, { query: { limit } })
      if (command.isJson) return terminal.print(renderJson(found))
      const rows = found.items.map((one) => [
        one.id,
        renderMoment(one.created_at),
        one.notes ?? '',
        one.response ? JSON.stringify(one.response) : '',
      ])
      terminal.print(renderTable(['ID', 'CREATED', 'NOTES', 'RESPONSE'], rows, terminal.columns))
    })
}
