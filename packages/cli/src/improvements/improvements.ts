import type { SkillImprovement } from '@skillrun/client/openapi.ts'
import { percentText } from '@skillrun/core/figures.ts'
import { InvalidArgumentError } from 'commander'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { findSkill } from '../find-skill.ts'
import { wholeNumber } from '../options.ts'
import { printable, renderDollars, renderMoment, renderPoints, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { lookUntil } from '../wait.ts'

interface How {
  readonly terminal: Terminal
  readonly setExitCode: (code: number) => void
}

interface ImproveOptions {
  readonly proposals?: number
  readonly maxCost?: number
  readonly model?: string
  readonly writer?: string
  readonly wait: boolean
}

/** `skillrun skills improve`, `improvements` and `stop-improving`. */
export function addImprovements(skills: Command, how: How): void {
  const { terminal, setExitCode } = how
  skills
    .command('improve <SKILL>')
    .description(
      'have a model write better instructions, and publish them if cases it never saw show that they are better',
    )
    .option('--proposals <N>', 'how many proposals the model writes (default: 3)', wholeNumber(1, 20))
    .option('--max-cost <DOLLARS>', 'most that all runs together may cost (default: 5)', dollars)
    .option('--model <MODEL>', 'model that runs the cases (default: the model of the skill, or else of the server)')
    .option('--writer <MODEL>', 'model that writes the proposals')
    .option('--no-wait', 'print the improvement immediately instead of waiting for its report')
    .examples('skillrun skills improve invoices', 'skillrun skills improve invoices --proposals 5 --max-cost 2')
    .addHelpText('after', '\nExit codes: 1 if it failed or published nothing.')
    .action(async (reference: string, options: ImproveOptions, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      const { proposals, maxCost, model, writer } = options
      const body = { proposals, max_cost_dollars: maxCost, model, writer_model: writer }
      const begun = await client.skills.improve(id, body)
      const ended = options.wait ? await finished(begun, { client, id, terminal }) : begun
      show(ended, command)
      if (options.wait && ended.published_skill_id === null) setExitCode(exitCodes.failed)
    })
  skills
    .command('improvements <SKILL> [IMPROVEMENT]')
    .description('list the improvements of a skill, or show the report of one')
    .examples('skillrun skills improvements invoices', 'skillrun skills improvements invoices 0192f0c1-…')
    .action(async (reference: string, improvementId: string | undefined, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      if (improvementId !== undefined) return show(await client.skills.improvement(id, improvementId), command)
      const found = await client.skills.improvements(id)
      command.printTable(found, ['ID', 'VERSION', 'STATUS', 'CREATED', 'OUTCOME', 'COST'], (each) => [
        each.id,
        String(each.number),
        each.status,
        renderMoment(each.created_at),
        each.outcome?.code ?? each.error?.code ?? '-',
        renderDollars(each.cost_dollars),
      ])
    })
  skills
    .command('stop-improving <SKILL> <IMPROVEMENT>')
    .description('cancel a running improvement: its runs end, and nothing is published')
    .examples('skillrun skills stop-improving invoices 0192f0c1-…')
    .action(async (reference: string, improvementId: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      show(await client.skills.cancelImprovement(id, improvementId), command)
    })
}

function dollars(text: string): number {
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0) return value
  throw new InvalidArgumentError('It must be an amount in dollars, such as 2 or 0.50.')
}

const finished = (
  first: SkillImprovement,
  { client, id, terminal }: { client: Client; id: string; terminal: Terminal },
): Promise<SkillImprovement> =>
  lookUntil(first, {
    terminal,
    isUnderWay: ({ status }) => status === 'running',
    look: () => client.skills.improvement(id, first.id),
    message: `improvement ${printable(first.id)} has up to ${first.progress.runs} runs`,
  })

function show(improvement: SkillImprovement, command: Command): void {
  command.print(improvement, reportText)
}

function reportText(one: SkillImprovement): string {
  const rows = one.proposals.map((each) => [
    String(each.number),
    each.verdict ?? 'not judged',
    each.before ? percentText(each.before.agreement) : '-',
    each.after ? percentText(each.after.agreement) : '-',
    each.lift
      ? `${renderPoints(each.lift.mean)} (${renderPoints(each.lift.lower)} to ${renderPoints(each.lift.upper)})`
      : '-',
    printable(each.summary ?? each.error?.message ?? '-'),
  ])
  const { training, judging } = one.cases
  return [
    `Version ${one.number}: ${one.status}, ${renderDollars(one.cost_dollars)} of ${renderDollars(one.max_cost_dollars)}, ${training} cases to learn from and ${judging} to judge by\n`,
    rows.length > 0 ? renderTable(['PROPOSAL', 'VERDICT', 'BEFORE', 'AFTER', 'LIFT', 'SUMMARY'], rows) : '',
    one.outcome ? `${printable(one.outcome.message)}\n` : '',
    one.error ? `${printable(one.error.message)}\n` : '',
  ].join('')
}
