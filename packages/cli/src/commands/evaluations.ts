import { readFile } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Command } from 'commander'
import type { CaseRecord, Client, EvaluationRecord } from '../client-calls.ts'
import { exitCodes } from '../exit-codes.ts'
import { inputsOf, readInputArgument } from '../inputs.ts'
import { collected, connect, examples, type GlobalOptions } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderDollars, renderJson, renderMoment, renderTable } from '../render.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { findLocalFile } from '../upload.ts'
import { lookUntil } from '../wait.ts'

/** Whoever finds a skill by what the caller called it. */
type FindSkill = (client: Client, reference: string, terminal: Terminal) => Promise<{ readonly id: string }>

/** `skillrun skills evaluate`, `evaluations` and `cases`. */
export function addEvaluations(
  skills: Command,
  how: { terminal: Terminal; setExitCode: (code: number) => void; findSkill: FindSkill },
): void {
  addEvaluate(skills, how)
  addEvaluationReports(skills, how)
  const cases = skills
    .command('cases')
    .description('manage the cases (inputs with correct answers) of a skill')
    .addHelpText('after', examples('skillrun skills cases list receipts'))
  addCaseCommands(cases, how)
}

interface EvaluateOptions {
  readonly case?: readonly string[]
  readonly model?: string
  readonly wait: boolean
}

function addEvaluate(
  skills: Command,
  { terminal, setExitCode, findSkill }: Parameters<typeof addEvaluations>[1],
): void {
  skills
    .command('evaluate <SKILL>')
    .description('run the cases with the skill, without it and with its previous version, and compare')
    .option('--case <ID>', 'run only this case; repeatable', collected)
    .option('--model <MODEL>', 'model to use (default: the model of the skill, or else of the server)')
    .option('--no-wait', 'print the evaluation immediately instead of waiting for its report')
    .addHelpText(
      'after',
      examples('skillrun skills evaluate invoices', 'skillrun skills evaluate invoices:2 --json | jq .report.fields'),
    )
    .addHelpText('after', '\nExit codes: 1 if the evaluation failed or did not pass the gate of the version.')
    .action(async (reference: string, options: EvaluateOptions, command: Command) => {
      const client = await connect(command, terminal)
      const { id } = await findSkill(client, reference, terminal)
      const body = {
        ...(options.case ? { case_ids: options.case } : {}),
        ...(options.model === undefined ? {} : { model: options.model }),
      }
      const begun = await client.evaluate(id, body, terminal.signal)
      const ended = options.wait ? await finished(begun, { client, id, terminal }) : begun
      show(ended, command, terminal)
      if (ended.status === 'failed' || isHeldBack(ended)) setExitCode(exitCodes.failed)
    })
}

function show(evaluation: EvaluationRecord, command: Command, terminal: Terminal): void {
  const isJson = command.optsWithGlobals<GlobalOptions>().json === true
  terminal.print(
    isJson || !isJsonObject(evaluation['report'] ?? null) ? renderJson(evaluation) : reportText(evaluation),
  )
}

function addEvaluationReports(skills: Command, { terminal, findSkill }: Parameters<typeof addEvaluations>[1]): void {
  skills
    .command('evaluations <SKILL> [EVALUATION]')
    .description('list the evaluations of a skill version, or show the report of one')
    .addHelpText(
      'after',
      examples('skillrun skills evaluations invoices:2', 'skillrun skills evaluations invoices 0192f0c1-…'),
    )
    .action(async (reference: string, evaluationId: string | undefined, _: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const { id } = await findSkill(client, reference, terminal)
      if (evaluationId !== undefined) {
        const found = await client.evaluation({ id, evaluationId }, terminal.signal)
        show(await finished(found, { client, id, terminal }), command, terminal)
        return
      }
      const path = `/v1/skills/${encodeURIComponent(id)}/evaluations`
      const found = await client.call<readonly EvaluationRecord[]>({ method: 'GET', path }, terminal.signal)
      if (command.optsWithGlobals<GlobalOptions>().json) return terminal.print(renderJson(found))
      const rows = found.map((each) => [
        each.id,
        String(each['number']),
        each.status,
        renderMoment(String(each['created_at'])),
        String(each['runs']),
        shareText(at(each['report'], 'arms', 'with', 'agreed'), at(each['report'], 'arms', 'with', 'fields')),
      ])
      terminal.print(renderTable(['ID', 'VERSION', 'STATUS', 'CREATED', 'RUNS', 'AGREES'], rows, terminal.columns))
    })
}

/** Looks at an evaluation until it has ended. */
async function finished(
  first: EvaluationRecord,
  { client, id, terminal }: { client: Client; id: string; terminal: Terminal },
): Promise<EvaluationRecord> {
  return lookUntil(first, {
    terminal,
    isUnderWay: ({ status }) => status === 'running',
    look: () => client.evaluation({ id, evaluationId: first.id }, terminal.signal),
    told: `evaluation ${printable(first.id)} has ${first['runs']} runs`,
  })
}

const at = (value: Json | undefined, ...steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>(
    (inner, step) => (isJsonObject(inner ?? null) ? (inner as JsonObject)[step] : undefined),
    value,
  )

const isHeldBack = (evaluation: EvaluationRecord): boolean => at(evaluation['report'], 'gate', 'passed') === false

const shareText = (agreed: Json | undefined, fields: Json | undefined): string =>
  Number(fields) > 0 ? `${((Number(agreed) / Number(fields)) * 100).toFixed(1)} %` : '-'

/** Who did how well, then the fields that were not always right with the skill. */
function reportText(evaluation: EvaluationRecord): string {
  const { report } = evaluation
  const arms = Object.entries((at(report, 'arms') ?? {}) as JsonObject)
  const rows = arms.map(([arm, one]) => [
    arm,
    shareText(at(one, 'agreed'), at(one, 'fields')),
    `${at(one, 'agreed')}/${at(one, 'fields')}`,
    String(at(one, 'failed')),
    renderDollars(Number(at(one, 'cost_dollars'))),
  ])
  const fields = ((at(report, 'fields') ?? []) as readonly Json[])
    .filter((one) => at(one, 'with', 'agreed') !== at(one, 'with', 'fields'))
    .map((one) => [
      String(at(one, 'field')),
      ...arms.map(([arm]) => shareText(at(one, arm, 'agreed'), at(one, arm, 'fields'))),
    ])
  const gate = at(report, 'gate', 'because')
  return [
    renderTable(['SKILL', 'AGREES', 'FIELDS', 'FAILED', 'COST'], rows),
    fields.length > 0 ? `\n${renderTable(['FIELD', ...arms.map(([arm]) => arm.toUpperCase())], fields)}` : '',
    typeof gate === 'string' ? `\nIt does not become the latest: ${printable(gate)}\n` : '',
  ].join('')
}

function addCaseCommands(cases: Command, { terminal, findSkill }: Parameters<typeof addEvaluations>[1]): void {
  const show = (records: readonly CaseRecord[], command: Command) => {
    if (command.optsWithGlobals<GlobalOptions>().json) terminal.print(renderJson(records))
    else terminal.print(renderTable(['ID', 'SOURCE', 'CREATED', 'RESPONSE'], records.map(rowOf), terminal.columns))
  }
  cases
    .command('list <SKILL>')
    .description('list the cases of a skill')
    .addHelpText('after', examples('skillrun skills cases list invoices'))
    .action(async (reference: string, _: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const { id } = await findSkill(client, reference, terminal)
      show(await client.cases(id, terminal.signal), command)
    })
  cases
    .command('add <SKILL>')
    .description('add a case: an execution, or inputs with the correct response')
    .option('--execution <ID>', 'execution whose inputs (and response) to use')
    .option('-i, --input <FILE|URL...>', 'input file or URL; slot=FILE sets the slot name')
    .option('--text <TEXT>', 'input text; repeatable', collected)
    .option('--response <FILE>', 'correct response, as JSON; optional with --execution')
    .addHelpText(
      'after',
      examples(
        'skillrun skills cases add invoices --execution 0192f0c1-…',
        'skillrun skills cases add invoices -i invoice.pdf --response invoice.json',
      ),
    )
    .action(async (reference: string, options: AddOptions, command: Command) => {
      const response = await responseOf(options, terminal)
      if ((options.execution === undefined) === (options.input === undefined && options.text === undefined))
        throw new Fault('invalid', 'one_way', 'Give --execution, or inputs with -i or --text')
      const client = await connect(command, terminal)
      const { id } = await findSkill(client, reference, terminal)
      const known =
        options.execution === undefined
          ? { inputs: await sentInputs(options, client, terminal) }
          : { execution_id: options.execution }
      show(await client.addCases(id, [{ ...known, ...response }], terminal.signal), command)
    })
  cases
    .command('delete <SKILL> <CASE>')
    .description('delete a case')
    .addHelpText('after', examples('skillrun skills cases delete invoices 0192f0c1-…'))
    .action(async (reference: string, caseId: string, _: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const { id } = await findSkill(client, reference, terminal)
      show([await client.deleteCase({ id, caseId }, terminal.signal)], command)
    })
}

const rowOf = (one: CaseRecord): readonly string[] => [
  one.id,
  one.source,
  renderMoment(typeof one['created_at'] === 'string' ? one['created_at'] : null),
  JSON.stringify(one['response'] ?? null),
]

interface AddOptions {
  readonly execution?: string
  readonly input?: readonly string[]
  readonly text?: readonly string[]
  readonly response?: string
}

async function responseOf({ response: name }: AddOptions, terminal: Terminal): Promise<JsonObject> {
  if (name === undefined) return {}
  try {
    return { response: JSON.parse(await readFile(callerPath(name, terminal.environment), 'utf8')) as Json }
  } catch (error) {
    throw new Fault('invalid', 'bad_response', `${name} cannot be read as JSON: ${(error as Error).message}`)
  }
}

async function sentInputs(options: AddOptions, client: Client, terminal: Terminal): Promise<JsonObject> {
  const items: { slot: string | undefined; item: JsonObject }[] = []
  for (const text of options.input ?? []) {
    const { slot, source } = readInputArgument(text, (path) => callerPath(path, terminal.environment))
    if (source.kind === 'url') items.push({ slot, item: { type: 'file_url', file_url: { url: source.url } } })
    else {
      const file = await findLocalFile(callerPath(source.path, terminal.environment), source.path)
      items.push({ slot, item: { type: 'input_file', file_id: (await sendFile(file, { client, terminal })).id } })
    }
  }
  return inputsOf(items, options.text ?? [])
}
