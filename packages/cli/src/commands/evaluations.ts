import { readFile } from 'node:fs/promises'
import type { SkillCase, SkillEvaluation } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { percentText } from '@skillrun/core/figures.ts'
import { groupBy } from '@skillrun/core/group-by.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { findSkill } from '../find-skill.ts'
import { inputsOf, readInputArgument } from '../inputs.ts'
import { findLocalFile } from '../local-file.ts'
import { collected } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderDollars, renderJson, renderMoment, renderPoints, renderTable } from '../render.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { lookUntil } from '../wait.ts'

/** `skillrun skills evaluate`, `evaluations` and `cases`. */
export function addEvaluations(
  skills: Command,
  how: { terminal: Terminal; setExitCode: (code: number) => void },
): void {
  addEvaluate(skills, how)
  addEvaluationReports(skills, how)
  const cases = skills
    .command('cases')
    .description('manage the cases (inputs with correct answers) of a skill')
    .examples('skillrun skills cases list receipts')
  addCaseCommands(cases, how)
}

interface EvaluateOptions {
  readonly case?: readonly string[]
  readonly model?: string
  readonly wait: boolean
}

function addEvaluate(skills: Command, { terminal, setExitCode }: Parameters<typeof addEvaluations>[1]): void {
  skills
    .command('evaluate <SKILL>')
    .description('run the cases with the skill, without it and with its previous version, and compare')
    .option('--case <ID>', 'run only this case; repeatable', collected)
    .option('--model <MODEL>', 'model to use (default: the model of the skill, or else of the server)')
    .option('--no-wait', 'print the evaluation immediately instead of waiting for its report')
    .examples('skillrun skills evaluate invoices', 'skillrun skills evaluate invoices:2 --json | jq .report.fields')
    .addHelpText('after', '\nExit codes: 1 if the evaluation failed or did not pass the gate of the version.')
    .action(async (reference: string, options: EvaluateOptions, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      const begun = await client.skills.evaluate(id, { case_ids: options.case, model: options.model })
      const ended = options.wait ? await finished(begun, { client, id, terminal }) : begun
      show(ended, command, terminal)
      if (ended.status === 'failed' || isHeldBack(ended)) setExitCode(exitCodes.failed)
    })
}

function show(evaluation: SkillEvaluation, command: Command, terminal: Terminal): void {
  terminal.print(command.isJson || !evaluation.report ? renderJson(evaluation) : reportText(evaluation.report))
}

function addEvaluationReports(skills: Command, { terminal }: Parameters<typeof addEvaluations>[1]): void {
  skills
    .command('evaluations <SKILL> [EVALUATION]')
    .description('list the evaluations of a skill version, or show the report of one')
    .examples('skillrun skills evaluations invoices:2', 'skillrun skills evaluations invoices 0192f0c1-…')
    .action(async (reference: string, evaluationId: string | undefined, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      if (evaluationId !== undefined) {
        const found = await client.skills.evaluation(id, evaluationId)
        show(await finished(found, { client, id, terminal }), command, terminal)
        return
      }
      const found = await client.skills.evaluations(id)
      command.printTable(found, ['ID', 'VERSION', 'STATUS', 'CREATED', 'RUNS', 'AGREES'], (each) => [
        each.id,
        String(each.number),
        each.status,
        renderMoment(each.created_at),
        String(each.runs),
        shareText(each.report?.arms.with),
      ])
    })
}

/** Polls an evaluation until it has ended. */
async function finished(
  first: SkillEvaluation,
  { client, id, terminal }: { client: Client; id: string; terminal: Terminal },
): Promise<SkillEvaluation> {
  return lookUntil(first, {
    terminal,
    isUnderWay: ({ status }) => status === 'running',
    look: () => client.skills.evaluation(id, first.id),
    message: `evaluation ${printable(first.id)} has ${first.runs} runs`,
  })
}

type Report = NonNullable<SkillEvaluation['report']>

const isHeldBack = ({ report }: SkillEvaluation): boolean => report?.gate?.passed === false

const shareText = (of: { readonly agreed: number; readonly fields: number } | undefined): string =>
  of && of.fields > 0 ? percentText(of.agreed / of.fields) : '-'

const liftText = (over: string, { mean, lower, upper }: { mean: number; lower: number; upper: number }): string =>
  `Agreement over ${over}: ${renderPoints(mean)} points (95 % interval ${renderPoints(lower)} to ${renderPoints(upper)})\n`

/** Why runs failed: for each participant and error, how many runs and the first execution. */
function failuresOf({ arms, results }: Report): readonly (readonly string[])[] {
  return (Object.keys(arms) as (keyof Report['arms'])[]).flatMap((arm) => {
    const failed = results.flatMap(({ runs }) => (runs[arm]?.status === 'failed' ? [runs[arm]] : []))
    return [...groupBy(failed, ({ error }) => error ?? '-')].map(([error, [first, ...others]]) => [
      arm,
      error,
      String(others.length + 1),
      first?.execution_id ?? '-',
    ])
  })
}

/** The results per participant, why runs failed, then the fields that were not always right with the skill. */
function reportText(report: Report): string {
  const { arms, fields, gate, lift } = report
  const failures = failuresOf(report)
  const names = Object.keys(arms) as (keyof Report['arms'])[]
  const rows = names.map((arm) => {
    const { agreed = 0, fields = 0, failed = 0, cost_dollars = 0 } = arms[arm] ?? {}
    return [arm, shareText(arms[arm]), `${agreed}/${fields}`, String(failed), renderDollars(cost_dollars)]
  })
  const wrong = fields
    .filter((one) => one.with?.agreed !== one.with?.fields)
    .map((one) => [one.field, ...names.map((arm) => shareText(one[arm]))])
  return [
    renderTable(['SKILL', 'AGREES', 'FIELDS', 'FAILED', 'COST'], rows),
    lift?.without ? liftText('without the skill', lift.without) : '',
    lift?.before ? liftText('the previous version', lift.before) : '',
    failures.length > 0 ? `\n${renderTable(['SKILL', 'FAILED WITH', 'RUNS', 'EXECUTION'], failures)}` : '',
    wrong.length > 0 ? `\n${renderTable(['FIELD', ...names.map((arm) => arm.toUpperCase())], wrong)}` : '',
    gate?.because ? `\nIt does not become the latest: ${printable(gate.because)}\n` : '',
  ].join('')
}

function addCaseCommands(cases: Command, { terminal }: Parameters<typeof addEvaluations>[1]): void {
  const show = (records: readonly SkillCase[], command: Command) => {
    command.print(records, () =>
      renderTable(['ID', 'SOURCE', 'CREATED', 'RESPONSE'], records.map(rowOf), terminal.columns),
    )
  }
  cases
    .command('list <SKILL>')
    .description('list the cases of a skill')
    .examples('skillrun skills cases list invoices')
    .action(async (reference: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      show(await client.skills.cases(id), command)
    })
  cases
    .command('add <SKILL>')
    .description('add a case: an execution, or inputs with the correct response')
    .option('--execution <ID>', 'execution whose inputs (and response) to use')
    .option('-i, --input <FILE|URL...>', 'input file or URL; slot=FILE sets the slot name')
    .option('--text <TEXT>', 'input text; repeatable', collected)
    .option('--response <FILE>', 'correct response, as JSON; optional with --execution')
    .examples(
      'skillrun skills cases add invoices --execution 0192f0c1-…',
      'skillrun skills cases add invoices -i invoice.pdf --response invoice.json',
    )
    .action(async (reference: string, options: AddOptions, command: Command) => {
      const response = await responseOf(options, terminal)
      if ((options.execution === undefined) === (options.input === undefined && options.text === undefined))
        throw new Fault('invalid', 'one_way', 'Give --execution, or inputs with -i or --text')
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      const known =
        options.execution === undefined
          ? { inputs: await sentInputs(options, client, terminal) }
          : { execution_id: options.execution }
      show(await client.skills.addCases(id, [{ ...known, ...response }]), command)
    })
  cases
    .command('delete <SKILL> <CASE>')
    .description('delete a case')
    .examples('skillrun skills cases delete invoices 0192f0c1-…')
    .action(async (reference: string, caseId: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      show([await client.skills.deleteCase(id, caseId)], command)
    })
}

const rowOf = (one: SkillCase): readonly string[] => [
  one.id,
  one.source,
  renderMoment(one.created_at),
  JSON.stringify(one.response ?? null),
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
