import type { AgentExecuteRequest, ExecutionEvent } from '@skillrun/client/openapi.ts'
import { durationText } from '@skillrun/core/figures.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { printable, renderDollars, renderJson, renderMoment } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** The request of an execution and its live events: subcommands of `skillrun executions`. */
export function addExecutionStory(executions: Command, terminal: Terminal): void {
  executions
    .command('events <ID>')
    .description('print the events of an execution as they happen')
    .option('--after <EVENT>', 'only events after the event with this id')
    .examples('skillrun executions events 0192f0c1-…', 'skillrun executions events 0192f0c1-… --json | jq .data.name')
    .addHelpText('after', '\nWith --json, each event is one line.')
    .action(async (id: string, options: { after?: string }, command: Command) => {
      const client = await command.connect()
      const { json } = command.optsWithGlobals<GlobalOptions>()
      for await (const event of client.events(id, { ...options, signal: terminal.signal }))
        terminal.print(json ? `${JSON.stringify(event)}\n` : lineOf(event))
    })
  executions
    .command('request <ID>')
    .description('show the request of an execution, as a request body')
    .option('--curl', 'print it as a curl command')
    .examples('skillrun executions request 0192f0c1-…', 'skillrun executions request 0192f0c1-… --curl')
    .action(async (id: string, { curl }: { curl?: boolean }, command: Command) => {
      const client = await command.connect()
      const asked = await client.executions.request(id)
      terminal.print(curl ? curlOf(asked, client.connection.url) : renderJson(asked))
    })
}

function lineOf({ id, event, data }: ExecutionEvent): string {
  if (event === 'status') {
    const words = data.error ? `${data.status} (${data.error.code}): ${data.error.message}` : data.status
    return `${renderMoment(data.at)}  ${id}  ${printable(words)}\n`
  }
  const took = durationText(Date.parse(data.ended_at) - Date.parse(data.started_at))
  const words = `step ${data.seq}: ${data.name}, ${took}, ${renderDollars(data.cost_dollars)}`
  return `${renderMoment(data.ended_at)}  ${id}  ${printable(words)}\n`
}

/** Quotes a text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Without the key. */
function curlOf(asked: AgentExecuteRequest, url: string): string {
  return `${[
    `curl ${quoted(`${url}/v1/agent/execute`)}`,
    '-H "Authorization: Bearer $SKILLRUN_API_KEY"',
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify({ ...asked, batch: false }, null, 2))}`,
  ].join(' \\\n  ')}\n`
}
