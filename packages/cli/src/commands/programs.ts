import type { Program } from '@skillrun/client/openapi.ts'
import { percentText } from '@skillrun/core/figures.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { findSkill } from '../find-skill.ts'
import { printable, renderDollars, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { lookUntil } from '../wait.ts'

interface ProgramOptions {
  readonly compile?: boolean
  readonly execution?: readonly string[]
  readonly source?: string
  readonly delete?: string
}

/** `skillrun skills programs NAME`: the programs of a skill, their savings, and compiling one. */
export function addPrograms(skills: Command, how: { terminal: Terminal; setExitCode: (code: number) => void }): void {
  const { terminal, setExitCode } = how
  skills
    .command('programs <SKILL>')
    .description('list the programs of a skill with their test results, use and savings')
    .option('--compile', 'compile and test a program from the cases, and wait for the result')
    .option('--execution <ID...>', 'with --compile: use these completed executions')
    .option('--source <ID>', 'print the source of a program')
    .option('--delete <ID>', 'delete a program')
    .examples(
      'skillrun skills programs invoices',
      'skillrun skills programs invoices --compile',
      'skillrun skills programs invoices --source 0192f0c1-… > program.ts',
    )
    .addHelpText('after', '\nExit codes: 1 if the compiled program does not pass its gate.')
    .action(async (reference: string, options: ProgramOptions, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      if (options.source !== undefined) {
        const { source } = await client.skills.program(id, options.source)
        terminal.print(source ?? '')
        return
      }
      const programs = await chosen(client, { id, options, terminal })
      command.print(programs, programsText)
      if (options.compile && programs[0]?.status === 'rejected') setExitCode(exitCodes.failed)
    })
}

async function chosen(
  client: Client,
  { id, options, terminal }: { id: string; options: ProgramOptions; terminal: Terminal },
): Promise<readonly Program[]> {
  if (options.delete !== undefined) return [await client.skills.deleteProgram(id, options.delete)]
  if (!options.compile) return client.skills.programs(id)
  const body = options.execution ? { execution_ids: options.execution } : {}
  const begun = await client.skills.compile(id, body)
  const program = await lookUntil(begun, {
    terminal,
    isUnderWay: ({ status }) => status === 'compiling',
    look: () => client.skills.program(id, begun.id),
    message: `program ${printable(begun.id)} is being compiled`,
  })
  return [program]
}

const judgeNames = {
  human: 'people',
  case: 'cases',
  other_model: 'another model',
  same_engine: 'the same engine',
} as const

const judgementText = ({ by, answers, wrong, counts }: Program['shadow']['judgements'][number]): string =>
  `${judgeNames[by]} ${answers} (${wrong} wrong${counts ? '' : ', does not count'})`

function programsText(programs: readonly Program[]): string {
  const headings = [
    'ID',
    'STATUS',
    'BY',
    'RUNS',
    'WRONG',
    'AT MOST',
    'AGENT',
    'PROGRAM',
    'PAYS AFTER',
    'SAVED',
    'CREATED',
  ]
  const rows = programs.map(({ id, status, origin, runs, shadow, economics, created_at: at }) => [
    id,
    status,
    origin,
    String(runs),
    `${shadow.disagreements}/${shadow.runs}`,
    shadow.bound === 1 ? '-' : percentText(shadow.bound),
    renderDollars(economics.agent_run_dollars),
    renderDollars(economics.program_run_dollars),
    economics.break_even_runs === null
      ? '-'
      : `${economics.break_even_runs} run${economics.break_even_runs === 1 ? '' : 's'}`,
    renderDollars(economics.saved_dollars),
    renderMoment(at),
  ])
  const evidence = programs.flatMap(({ id, shadow }) => {
    const kinds = shadow.judgements.filter(({ answers }) => answers > 0)
    return kinds.length === 0 ? [] : [`${printable(id)}: checked by ${kinds.map(judgementText).join(', ')}\n`]
  })
  const fields = programs.flatMap(({ id, status, fields: all }) => {
    const left = all.filter(({ by }) => by === 'agent').map(({ pointer }) => printable(pointer))
    return status === 'ready' && left.length > 0 ? [`${printable(id)}: leaves ${left.join(', ')} to an agent\n`] : []
  })
  const reasons = programs.flatMap(({ id, reason }) =>
    reason === null ? [] : [`${printable(id)}: ${printable(reason)}\n`],
  )
  const drifts = programs.flatMap(({ id, withholds, drift }) => [
    ...(withholds
      ? [`${printable(id)}: an agent answers in its place until three checked answers in a row agree\n`]
      : []),
    ...(drift
      ? [
          `${printable(id)}: ${drift.by === 'judge' ? 'the model that checks it' : 'the program or its documents'} seem${drift.by === 'judge' ? 's' : ''} to have changed since ${renderMoment(drift.since)}, for ${drift.fields.map(printable).join(', ')}\n`,
        ]
      : []),
  ])
  return [
    renderTable(headings, rows),
    ...(evidence.length > 0 ? ['\n', ...evidence] : []),
    ...(fields.length > 0 ? ['\n', ...fields] : []),
    ...(drifts.length > 0 ? ['\n', ...drifts] : []),
    ...(reasons.length > 0 ? ['\n', ...reasons] : []),
  ].join('')
}
