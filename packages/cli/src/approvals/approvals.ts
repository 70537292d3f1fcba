import type { AgentExecutionResponse as Execution, Operations } from '@skillrun/client/openapi.ts'
import type { Command } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { printable, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun approve`, `skillrun reject`, and `skillrun approvals`: decisions that executions wait for. */
export function addApprovals(program: Command, terminal: Terminal): void {
  for (const verb of ['approve', 'reject'] as const) addDecision(program, verb, terminal)
  const approvals = program
    .command('approvals')
    .description('show executions that wait for an approval')
    .examples('skillrun approvals list')
  addWaiting(approvals, terminal)
  addApprovers(approvals)
}

const pathOf = (id: string, verb: string) => `/v1/agent/executions/${encodeURIComponent(id)}/${verb}`

function addDecision(program: Command, verb: 'approve' | 'reject', terminal: Terminal): void {
  program
    .command(`${verb} <EXECUTION>`)
    .description(
      verb === 'approve'
        ? 'approve what an execution waits for, so that it goes on'
        : 'reject what an execution waits for, so that it fails',
    )
    .option('--comment <TEXT>', 'a comment on the decision')
    .option('--number <NUMBER>', 'refuse when the execution waits for another decision than this one', wholeNumber(1))
    .examples(`skillrun approvals list`, `skillrun ${verb} 0192f0c1-… --comment "Checked with the supplier"`)
    .action(async (id: string, options: { comment?: string; number?: number }, command: Command) => {
      const client = await command.connect()
      const body = { ...options } satisfies Operations['approveExecution']['body']
      const execution = await client.call<Execution>(pathOf(id, verb), { method: 'POST', body })
      if (command.isJson) return terminal.print(renderJson(execution))
      const { approval, status } = execution
      const decided = approval?.decision === 'approve' ? 'approved' : 'rejected'
      const by = approval?.by ? ` by ${approval.by.name}` : ''
      terminal.print(`execution ${printable(id)} is ${status}: ${decided}${printable(by)}\n`)
    })
}

function addWaiting(approvals: Command, terminal: Terminal): void {
  approvals
    .command('list')
    .description('list the executions that wait for an approval, newest first')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 50)
    .examples('skillrun approvals list')
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const client = await command.connect()
      const query = { approval: 'needed', limit } satisfies Operations['listExecutions']['query']
      const waiting = await client.call<readonly Execution[]>('/v1/agent/executions', { query })
      if (command.isJson) return terminal.print(renderJson(waiting))
      const rows = waiting.flatMap(({ id, name, approval }) =>
        approval
          ? [
              [
                id,
                name ?? '',
                approval.waiting_for === 'tool' ? `${approval.tool} ${JSON.stringify(approval.input)}` : 'completion',
                renderMoment(approval.since),
                renderMoment(approval.expires_at),
              ],
            ]
          : [],
      )
      terminal.print(renderTable(['EXECUTION', 'NAME', 'WAITS FOR', 'SINCE', 'UNTIL'], rows, terminal.columns))
    })
}

function addApprovers(approvals: Command): void {
  approvals
    .command('approvers <EXECUTION>')
    .description('list who may approve or reject an execution')
    .examples('skillrun approvals approvers 0192f0c1-…')
    .action(async (id: string, _: object, command: Command) => {
      const client = await command.connect()
      const found = await client.call<Operations['listApprovers']['reply']>(pathOf(id, 'approvers'))
      command.printTable(found, ['KIND', 'ID', 'NAME'], (one) => [one.kind, one.id, one.name])
    })
}
