import type { AgentExecutionResponse as Execution, ExecutionDiff, Replay } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { readJsonFile } from '../local-json.ts'
import { printable, renderJson, renderTable } from '../render.ts'
import { followExecution, reportOutcome } from '../report.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun replay`, `fork` and `diff`. */
export function addReplays(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  addReplay(program, terminal, setExitCode)
  addFork(program, terminal, setExitCode)
  addDiff(program, terminal, setExitCode)
}

const pathOf = (id: string, rest: string): string => `/v1/agent/executions/${encodeURIComponent(id)}/${rest}`

function addReplay(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('replay <ID>')
    .description('run an execution again from its transcript, without model calls, and compare the output')
    .examples('skillrun replay 0192f0c1-…')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const replay = await client.call<Replay>(pathOf(id, 'replay'), { method: 'POST', slow: true })
      if (!replay.equal) setExitCode(1)
      if (command.isJson) return terminal.print(renderJson(replay))
      if (replay.equal) return terminal.print('equal: the replay gave the same output, with 0 model calls\n')
      const rows = replay.differences.map(({ path, was, is }) => [printable(path), shortJson(was), shortJson(is)])
      terminal.print(renderTable(['PATH', 'WAS', 'IS'], rows, terminal.columns))
    })
}

interface ForkOptions extends GlobalOptions {
  readonly fromStep: string
  readonly prompt?: string
  readonly model?: string
  readonly schema?: string
  readonly config?: string
  readonly toolResult?: readonly string[]
  readonly wait?: boolean
}

function addFork(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('fork <ID>')
    .description('run an execution anew from one of its steps, as a new execution that keeps the steps before it')
    .requiredOption(
      '--from-step <N>',
      'number of the first step that runs anew; "skillrun executions steps" lists them',
    )
    .option('-p, --prompt <TEXT>', 'another prompt')
    .option('--model <MODEL>', 'another model')
    .option('--schema <FILE>', 'another JSON Schema of the response')
    .option('--config <FILE>', 'replace fields of the configuration, as a JSON object')
    .option('--tool-result <N=FILE...>', 'another result of the tool call of a kept step, as a JSON object in a file')
    .option('--wait', 'wait for the end and print only the response, as "execute" does')
    .examples(
      'skillrun fork 0192f0c1-… --from-step 5 --prompt "Give the total in cents" --wait',
      'skillrun fork 0192f0c1-… --from-step 5 --tool-result 3=result.json',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ForkOptions>()
      const { prompt, model, schema, config: more, json, wait } = options
      const read = (name: string, what: string) => readJsonFile(name, terminal, what)
      const config = {
        ...(more === undefined ? {} : await read(more, 'configuration')),
        ...(prompt ? { prompt } : {}),
        ...(schema === undefined ? {} : { json_schema: await read(schema, 'schema') }),
      }
      const results: Record<string, Json> = {}
      for (const one of options.toolResult ?? []) {
        const [, seq, file] = /^(\d+)=(.+)$/.exec(one) ?? []
        if (seq === undefined || file === undefined)
          throw new Fault('invalid', 'bad_arguments', `--tool-result ${one} must be N=FILE, such as 3=result.json`)
        results[seq] = await read(file, 'result')
      }
      const client = await command.connect()
      const body = {
        from_step: fromStepOf(options.fromStep),
        ...(model ? { model } : {}),
        ...(Object.keys(config).length > 0 ? { config } : {}),
        ...(Object.keys(results).length > 0 ? { tool_results: results } : {}),
      }
      const made = await client.call<Execution>(pathOf(id, 'fork'), { method: 'POST', body })
      if (!wait) return terminal.print(json ? renderJson(made) : `${printable(made.id)}\n`)
      const ended = await followExecution(made, { client, terminal, timeoutMs: undefined })
      setExitCode(reportOutcome(ended, { terminal, record: json === true }))
    })
}

function fromStepOf(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new Fault('invalid', 'bad_arguments', `--from-step ${text} must be the number of a step, such as 3`)
}

function addDiff(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('diff <ID> <OTHER>')
    .description('compare the responses of two executions field by field; exits with 1 where they differ')
    .option('--record', 'compare the whole records')
    .examples('skillrun diff 0192f0c1-… 0192f0c9-…')
    .action(async (id: string, other: string, _: unknown, command: Command) => {
      const { record, json } = command.optsWithGlobals<GlobalOptions & { readonly record?: boolean }>()
      const client = await command.connect()
      const query = record ? '?of=record' : ''
      const found = await client.call<ExecutionDiff>(`${pathOf(id, 'diff')}/${encodeURIComponent(other)}${query}`)
      if (found.length > 0) setExitCode(1)
      if (json) return terminal.print(renderJson(found))
      if (found.length === 0) return terminal.print('no differences\n')
      const rows = found.map(({ path, left, right }) => [printable(path), shortJson(left), shortJson(right)])
      terminal.print(renderTable(['PATH', 'LEFT', 'RIGHT'], rows, terminal.columns))
    })
}

/** A value in one line. */
const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return printable(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
