import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { type Command, Option } from 'commander'
import type { Client } from '../client-calls.ts'
import { type InputArgument, inputsOf, readInputArgument } from '../inputs.ts'
import { readJsonFile, readSchemaFile } from '../local-json.ts'
import { collected, connect, examples, pages, seconds } from '../options.ts'
import { callerPath, programFolder } from '../paths.ts'
import { renderJson } from '../render.ts'
import { followExecution, laterCommand, reportOutcome } from '../report.ts'
import { sendFile } from '../send-files.ts'
import { packSkill } from '../skill-folder.ts'
import type { Terminal } from '../terminal.ts'
import { findLocalFile, type LocalFile } from '../upload.ts'
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
  readonly tier?: string
  readonly session?: string
  readonly callback?: string
  readonly maxCost?: number
  readonly config?: string
  readonly estimate?: boolean
  readonly batch?: boolean
  readonly grounding?: boolean
  readonly pages?: readonly number[]
  readonly timeout?: number
  readonly record?: boolean
}

/** `skillrun execute`: uploads the inputs, runs, waits, and prints the response. */
export function addExecute(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('execute')
    .description('run an agent over files and print its response as JSON')
    .option(
      '-i, --input <FILE|URL...>',
      'a file or address to read; slot=FILE names its slot (else "file", or "files" for several)',
    )
    .option('--text <TEXT>', 'a text to read; may be given more than once', collected)
    .option('--schema <FILE>', 'JSON schema of the response')
    .option(
      '--skill <FOLDER>',
      'a skill that goes along with the request: a folder with SKILL.md, or the name of one that comes with skillrun; may be given more than once',
      collected,
    )
    .option(
      '--skill-id <SKILL>',
      'a stored skill, as its id, NAME or NAME:VERSION; may be given more than once',
      collected,
    )
    .option('-p, --prompt <TEXT>', 'what to do')
    .option('--name <NAME>', 'the agent to run, as name or name:version')
    .option('--model <MODEL>', 'the model to use ("skillrun models" lists them)')
    .addOption(new Option('--tier <TIER>', 'service tier').choices(['auto', 'default', 'standard', 'flex', 'priority']))
    .option('--session <ID>', 'the session that it belongs to')
    .option('--callback <URL>', 'an address that is told of the end')
    .option('--max-cost <DOLLARS>', 'pause before it would cost more', dollars)
    .option(
      '--config <FILE>',
      'more of the configuration, as a JSON object: max_steps, toolsets, timeout_seconds and what else the API takes; options beside it go first',
    )
    .option('--estimate', 'print what it would cost, and run nothing')
    .option('--batch', 'print the record at once instead of waiting for the end')
    .option('--grounding', 'ask for the place of each value in the document')
    .option('--pages <PAGES>', 'pages to read, counted from 0, such as 0,1 or 0,2-4', pages)
    .option('--timeout <SECONDS>', 'stop waiting after this long; the execution goes on', seconds)
    .option('--record', 'print the whole record instead of the response')
    .addHelpText(
      'after',
      examples(
        'skillrun execute -i invoice.pdf --schema invoice.schema.json -p "Extract the invoice"',
        'skillrun execute -i order=order.pdf invoice=https://example.com/invoice.pdf --schema match.json -p "Compare the two"',
        'skillrun execute -i invoice.pdf --skill invoice-extraction',
        'skillrun execute -i invoice.pdf --skill-id invoices:2',
        'skillrun execute -i scan.jpg --schema receipt.json --grounding --record | jq .evidence',
        'skillrun execute -i film.mp4 -p "What is shown?" --config frames.json',
        'skillrun execute -i large.pdf -p "Extract all tables" --estimate',
        'skillrun execute -i large.pdf -p "Extract all tables" --batch',
      ),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 completed, 1 failed, 2 bad usage or input, 3 server unreachable or time over, 4 key refused, 130 interrupted.',
    )
    .action(async (options: ExecuteOptions, command: Command) => {
      setExitCode(await execute(options, { terminal, connect: () => connect(command, terminal) }))
    })
}

async function execute(
  options: ExecuteOptions,
  how: { terminal: Terminal; connect: () => Promise<Client> },
): Promise<number> {
  const { terminal } = how
  const inputs = await checkInputs(options.input ?? [], terminal)
  const schema =
    options.schema === undefined
      ? undefined
      : await readSchemaFile(callerPath(options.schema, terminal.environment), options.schema)
  const more =
    options.config === undefined
      ? {}
      : await readJsonFile(callerPath(options.config, terminal.environment), options.config, 'configuration')
  const skills = await skillEntries(options, terminal)
  if (inputs.length === 0 && !options.text && !options.prompt && !options.name && skills.length === 0) {
    throw new Fault(
      'invalid',
      'nothing_to_do',
      'There is nothing to do: give an input with -i, a --text, a prompt with -p, a skill, or an agent with --name',
    )
  }
  const client = await how.connect()
  const items = await sendInputs(inputs, client, terminal)
  // The id is ours, so that sending the request again cannot run it twice, and so that it is known before the reply.
  const id = newId(terminal.clock.now())
  const request = requestOf(id, options, { schema, skills, more, inputs: inputsOf(items, options.text ?? []) })
  if (options.estimate) return estimate(client, request, terminal)
  const execution = await start(client, request, terminal)
  if (options.batch) {
    terminal.print(renderJson(execution))
    terminal.tell(
      `execution ${execution.id} is ${execution.status}; get its result with: ${laterCommand(execution.id)}`,
    )
    return 0
  }
  const ended = await followExecution(execution, { client, terminal, timeoutMs: options.timeout })
  return reportOutcome(ended, { terminal, record: options.record === true })
}

async function estimate(client: Client, { id: _, ...json }: JsonObject, terminal: Terminal): Promise<number> {
  terminal.print(renderJson(await client.call({ method: 'POST', path: '/v1/agent/estimate', json }, terminal.signal)))
  return 0
}

async function start(client: Client, request: JsonObject & { id: string }, terminal: Terminal) {
  try {
    return await client.execute(request, terminal.signal)
  } catch (error) {
    const mayRun = terminal.signal.aborted || (error instanceof Fault && error.code === 'connection_cut')
    if (mayRun) terminal.tell(`The execution may have started; see with: ${laterCommand(request.id)}`)
    throw error
  }
}

type CheckedInput = InputArgument & { readonly file: LocalFile | undefined }

/** All local files are looked at before anything is sent. */
async function checkInputs(texts: readonly string[], terminal: Terminal): Promise<readonly CheckedInput[]> {
  const checked: CheckedInput[] = []
  for (const text of texts) {
    const argument = readInputArgument(text, (path) => callerPath(path, terminal.environment))
    const { source } = argument
    const file =
      source.kind === 'file'
        ? await findLocalFile(callerPath(source.path, terminal.environment), source.path)
        : undefined
    if (file?.bytes === 0)
      throw new Fault('invalid', 'empty_file', `${file.filename} is empty: there is nothing to read in it`)
    checked.push({ ...argument, file })
  }
  return checked
}

async function sendInputs(inputs: readonly CheckedInput[], client: Client, terminal: Terminal) {
  // A key that is refused should be known before a gigabyte has been sent.
  if (inputs.some(({ file }) => file)) await client.checkKey(terminal.signal)
  const items: { slot: string | undefined; item: JsonObject }[] = []
  for (const { slot, source, file } of inputs) {
    if (file)
      items.push({ slot, item: { type: 'input_file', file_id: (await sendFile(file, { client, terminal })).id } })
    else if (source.kind === 'url') items.push({ slot, item: { type: 'file_url', file_url: { url: source.url } } })
  }
  return items
}

/** Folders go along as they are; stored skills are named. */
async function skillEntries(options: ExecuteOptions, terminal: Terminal): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  for (const name of options.skill ?? []) {
    const { zip } = await packSkill(await skillFolder(name, terminal), name)
    const source = { type: 'base64', media_type: 'application/zip', data: zip.toString('base64') }
    entries.push({ type: 'inline', source })
  }
  for (const id of options.skillId ?? []) entries.push({ type: 'skill_reference', skill_id: id })
  return entries
}

/** The folder of the caller's, else of a skill that comes along. */
async function skillFolder(name: string, terminal: Terminal): Promise<string> {
  const own = callerPath(name, terminal.environment)
  const shipped = join(programFolder, 'skills', name)
  const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true
  return !(await isFolder(own)) && /^[a-z0-9-]+$/.test(name) && (await isFolder(shipped)) ? shipped : own
}

function requestOf(
  id: string,
  options: ExecuteOptions,
  {
    schema,
    skills,
    more,
    inputs,
  }: { schema: JsonSchema | undefined; skills: readonly JsonObject[]; more: JsonObject; inputs: JsonObject },
): JsonObject & { id: string } {
  return {
    id,
    batch: true,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...(options.callback === undefined ? {} : { callback_url: options.callback }),
    ...(options.session === undefined ? {} : { metadata: { session_id: options.session } }),
    config: {
      ...more,
      ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
      ...(schema === undefined ? {} : { json_schema: schema }),
      ...(skills.length === 0 ? {} : { skills }),
      ...(options.tier === undefined ? {} : { service_tier: options.tier }),
      ...(options.maxCost === undefined ? {} : { max_cost_dollars: options.maxCost }),
      ...(options.grounding ? { grounding: true } : {}),
      ...(options.pages === undefined ? {} : { page_indices: options.pages }),
    },
  }
}
