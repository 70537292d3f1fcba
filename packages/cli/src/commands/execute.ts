import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentExecuteRequest, SkillEntry } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { packSkill } from '../bundles/skill-folder.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { type InputArgument, inputsOf, readInputArgument } from '../inputs.ts'
import { installation } from '../installation.ts'
import { findLocalFile, type LocalFile } from '../local-file.ts'
import { readJsonFile, readSchemaFile } from '../local-json.ts'
import { collected, given, pages, referenceTo, type ServiceTier, seconds, tierOption, wrongRate } from '../options.ts'
import { callerPath } from '../paths.ts'
import { renderJson } from '../render.ts'
import { followExecution, laterCommand, reportOutcome } from '../report.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { dollars } from './execution-acts.ts'

interface ExecuteOptions {
  readonly input?: readonly string[]
  readonly text?: readonly string[]
  readonly schema?: string
  readonly skill?: readonly string[]
  readonly skillId?: readonly string[]
  readonly prompt?: string
  readonly name?: string
  readonly model?: string
  readonly tier?: ServiceTier
  readonly session?: string
  readonly callback?: string
  readonly maxCost?: number
  readonly maxWrongRate?: number | 'off'
  readonly config?: string
  readonly estimate?: boolean
  readonly cheapest?: boolean
  readonly batch?: boolean
  readonly grounding?: boolean
  readonly pages?: readonly number[]
  readonly timeout?: number
  readonly record?: boolean
  readonly base?: string
}

/** `skillrun execute`: uploads the inputs, runs, waits, and prints the response. */
export function addExecute(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('execute')
    .description('run an agent on files and print its response as JSON')
    .argument(
      '[files...]',
      'input files or URLs, like those of -i; without any instruction, their text and tables are extracted',
    )
    .option(
      '-i, --input <FILE|URL...>',
      'input file or URL; slot=FILE sets the slot name (default: "file", or "files" for several)',
    )
    .option('--text <TEXT>', 'input text; repeatable', collected)
    .option('--schema <FILE>', 'JSON Schema of the response')
    .option('--skill <FOLDER>', 'folder of a local skill, or name of a shipped or stored one; repeatable', collected)
    .option('--skill-id <SKILL>', 'a stored skill, by id, NAME or NAME:VERSION; repeatable', collected)
    .option('-p, --prompt <TEXT>', 'what to do')
    .option('--name <NAME>', 'agent to run, as NAME or NAME:VERSION')
    .option('--model <MODEL>', 'model to use (see "skillrun models")')
    .addOption(tierOption())
    .option('--session <ID>', 'session of the execution')
    .option('--callback <URL>', 'URL to call when the execution ends')
    .option('--max-cost <DOLLARS>', 'pause before the cost exceeds this', dollars)
    .option(
      '--max-wrong-rate <SHARE>',
      'share of wrong values to accept from the embedded engine, 0.005 to 0.2; less likely values are null. Default: less likely values than 0.02 needs are marked. off: no probabilities',
      wrongRate,
    )
    .option(
      '--cheapest',
      'answer each field by the cheapest of rules, small and large model that is proven for it; --estimate shows the shares',
    )
    .option(
      '--config <FILE>',
      'further configuration as a JSON object, such as max_steps, toolsets or timeout_seconds; other options take precedence',
    )
    .option('--estimate', 'print the estimated cost without running')
    .option('--batch', 'print the execution immediately instead of waiting for its end')
    .option('--grounding', 'return each value with its position in the document')
    .option('--pages <PAGES>', 'pages to read, starting at 0, such as 0,1 or 0,2-4', pages)
    .option(
      '--base <EXECUTION>',
      'an earlier execution of the same task: pages that did not change are not recognised again, and fields that cannot have changed are kept',
    )
    .option('--timeout <SECONDS>', 'stop waiting after this time; the execution continues', seconds)
    .option('--record', 'print the complete execution instead of the response')
    .examples(
      'skillrun execute invoice.pdf',
      'skillrun execute -i invoice.pdf --schema invoice.schema.json -p "Extract the invoice"',
      'skillrun execute -i order=order.pdf invoice=https://example.com/invoice.pdf --schema match.json -p "Compare the two"',
      'skillrun execute -i invoice.pdf --skill invoice-extraction',
      'skillrun execute -i invoice.pdf --skill-id invoices:2',
      'skillrun execute -i scan.jpg --schema receipt.json --grounding --record | jq .evidence',
      'skillrun execute -i film.mp4 -p "What is shown?" --config frames.json',
      'skillrun execute -i large.pdf -p "Extract all tables" --estimate',
      'skillrun execute -i invoice.pdf --schema invoice.schema.json --cheapest --record',
      'skillrun execute -i large.pdf -p "Extract all tables" --batch',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 completed, 1 failed, 2 invalid usage or input, 3 server unreachable or timed out, 4 key rejected, 130 interrupted.',
    )
    .action(async (files: readonly string[], options: ExecuteOptions, command: Command) => {
      const input = [...files, ...(options.input ?? [])]
      const { prompt, schema, skill, skillId, name, config } = options
      const isInstructed = [prompt, schema, skill, skillId, name, config].some((one) => one !== undefined)
      const whatToDo = files.length > 0 && !isInstructed ? { prompt: 'Extract all text and tables' } : {}
      const how = { terminal, connect: () => command.connect() }
      setExitCode(await execute({ ...options, ...whatToDo, input }, how))
    })
}

async function execute(
  options: ExecuteOptions,
  how: { terminal: Terminal; connect: () => Promise<Client> },
): Promise<number> {
  const { terminal } = how
  const inputs = await checkInputs(options.input ?? [], terminal)
  const schema = options.schema === undefined ? undefined : await readSchemaFile(options.schema, terminal)
  const more = options.config === undefined ? {} : await readJsonFile(options.config, terminal, 'configuration')
  const skills = await skillEntries(options, terminal)
  const isInstructed = options.prompt || options.name || skills.length > 0 || more['prompt'] || more['skills']
  if (inputs.length === 0 && !options.text && !isInstructed) {
    throw new Fault(
      'invalid',
      'nothing_to_do',
      'Nothing to do: give an input with -i or --text, a prompt with -p, a skill, or an agent with --name',
    )
  }
  const client = await how.connect()
  const items = await sendInputs(inputs, client, terminal)
  // The id is chosen here, so that a repeated request cannot run twice and the id is known before the reply.
  const id = newId(terminal.clock.now())
  const request = requestOf(id, options, { schema, skills, more, inputs: inputsOf(items, options.text ?? []) })
  if (options.estimate) return estimate(client, request, terminal)
  const execution = await start(client, request, terminal)
  if (options.batch) {
    terminal.print(renderJson(execution))
    terminal.log(`execution ${execution.id} is ${execution.status}; get its result with: ${laterCommand(execution.id)}`)
    return 0
  }
  const ended = await followExecution(execution, { client, terminal, timeoutMs: options.timeout })
  return reportOutcome(ended, { terminal, record: options.record === true })
}

async function estimate(
  client: Client,
  { id: _, ...request }: AgentExecuteRequest,
  terminal: Terminal,
): Promise<number> {
  terminal.print(renderJson(await client.estimate(request)))
  return 0
}

async function start(client: Client, request: AgentExecuteRequest & { id: string }, terminal: Terminal) {
  try {
    return await client.execute(request)
  } catch (error) {
    const mayRun = terminal.signal.aborted || (error instanceof Fault && error.code === 'connection_cut')
    if (mayRun) terminal.log(`The execution may have started; check with: ${laterCommand(request.id)}`)
    throw error
  }
}

type CheckedInput = InputArgument & { readonly file: LocalFile | undefined }

/** Checks all local files before anything is sent. */
async function checkInputs(texts: readonly string[], terminal: Terminal): Promise<readonly CheckedInput[]> {
  const checked: CheckedInput[] = []
  for (const text of texts) {
    const argument = readInputArgument(text, (path) => callerPath(path, terminal.environment))
    const { source } = argument
    const file =
      source.kind === 'file'
        ? await findLocalFile(callerPath(source.path, terminal.environment), source.path)
        : undefined
    if (file?.bytes === 0) throw new Fault('invalid', 'empty_file', `${file.filename} is empty`)
    checked.push({ ...argument, file })
  }
  return checked
}

async function sendInputs(inputs: readonly CheckedInput[], client: Client, terminal: Terminal) {
  // Check the key before sending large files.
  if (inputs.some(({ file }) => file)) await client.checkKey()
  const items: { slot: string | undefined; item: JsonObject }[] = []
  for (const { slot, source, file } of inputs) {
    if (file)
      items.push({ slot, item: { type: 'input_file', file_id: (await sendFile(file, { client, terminal })).id } })
    else if (source.kind === 'url') items.push({ slot, item: { type: 'file_url', file_url: { url: source.url } } })
  }
  return items
}

/** Local folders are sent as bundles; stored skills are referred to by name. */
export async function skillEntries(
  options: Pick<ExecuteOptions, 'skill' | 'skillId'>,
  terminal: Terminal,
): Promise<readonly SkillEntry[]> {
  const entries: SkillEntry[] = []
  for (const name of options.skill ?? []) {
    const folder = await skillFolder(name, terminal)
    if (folder === undefined) {
      entries.push(referenceTo(name))
      continue
    }
    const { zip } = await packSkill(folder, name)
    const source = { type: 'base64', media_type: 'application/zip', data: zip.toString('base64') } as const
    entries.push({ type: 'inline', source })
  }
  for (const id of options.skillId ?? []) entries.push(referenceTo(id))
  return entries
}

/** The folder given by the caller, otherwise that of a shipped skill; undefined for the name of a stored one. */
async function skillFolder(name: string, terminal: Terminal): Promise<string | undefined> {
  const own = callerPath(name, terminal.environment)
  const shipped = join(fileURLToPath(installation.sharedFolder('skills')), name)
  const stateOf = (path: string) => stat(path).catch(() => undefined)
  if ((await stateOf(own)) || !/^\w[\w-]*(:[\w.-]+)?$/.test(name)) return own
  return (await stateOf(shipped))?.isDirectory() ? shipped : undefined
}

function requestOf(
  id: string,
  options: ExecuteOptions,
  {
    schema,
    skills,
    more,
    inputs,
  }: { schema: JsonSchema | undefined; skills: readonly SkillEntry[]; more: JsonObject; inputs: JsonObject },
): AgentExecuteRequest & { id: string } {
  return {
    id,
    batch: true,
    name: options.name,
    model: options.model,
    inputs: Object.keys(inputs).length === 0 ? undefined : inputs,
    callback_url: options.callback,
    metadata: options.session === undefined ? undefined : { session_id: options.session },
    config: {
      ...more,
      ...given({
        prompt: options.prompt,
        json_schema: schema,
        skills: skills.length === 0 ? undefined : skills,
        service_tier: options.tier,
        max_cost_dollars: options.maxCost,
        max_wrong_rate: options.maxWrongRate === 'off' ? null : options.maxWrongRate,
        path: options.cheapest ? 'cheapest' : undefined,
        grounding: options.grounding,
        base_execution: options.base,
        page_indices: options.pages,
      }),
    },
  }
}
