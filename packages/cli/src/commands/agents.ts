import type { AgentCreationResponse, AgentInfo } from '@skillrun/client/openapi.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { readSchemaFile } from '../local-json.ts'
import { collected, referenceTo, type ServiceTier, tierOption, wholeNumber } from '../options.ts'
import { renderFields, renderJson, renderMoment } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun agents`: named prompts with default options for their executions. */
export function addAgents(program: Command, terminal: Terminal): void {
  const agents = program
    .command('agents')
    .description('manage named prompts, which "execute --name" runs')
    .examples('skillrun agents list')
  agents
    .command('list')
    .description('list agents with their latest version')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 10)
    .option('--skip <COUNT>', 'number to skip', wholeNumber(0), 0)
    .examples('skillrun agents list', 'skillrun agents list --limit 100 --json')
    .action(async ({ limit, skip }: { limit: number; skip: number }, command: Command) => {
      const client = await command.connect()
      const found = await client.agents.list({ skip, limit })
      command.printTable(found, ['ID', 'AGENT', 'CHANGED', 'PROMPT'], (each) => [
        each.id,
        `${each.name}:${each.version}`,
        renderMoment(each.updated_at),
        each.prompt ?? '',
      ])
    })
  agents
    .command('get <AGENT>')
    .description('show an agent, by id, NAME or NAME:VERSION')
    .examples('skillrun agents get invoices', 'skillrun agents get invoices:2 --json')
    .action(async (agent: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const by = isId(agent.toLowerCase()) ? { id: agent } : { name: agent }
      show(await client.agents.lookup(by), command, terminal)
    })
  addCreate(agents, terminal)
}

interface CreateOptions extends GlobalOptions {
  readonly prompt: string
  readonly schema?: string
  readonly skillId?: readonly string[]
  readonly tier?: ServiceTier
  readonly callback?: string
}

function addCreate(agents: Command, terminal: Terminal): void {
  agents
    .command('create <NAME>')
    .description('create an agent from a prompt; an existing name gets a new version')
    .requiredOption('-p, --prompt <TEXT>', 'what it does')
    .option('--schema <FILE>', 'JSON Schema of its responses')
    .option('--skill-id <SKILL>', 'a stored skill, by id, NAME or NAME:VERSION; repeatable', collected)
    .addOption(tierOption())
    .option('--callback <URL>', 'URL to call when its executions end')
    .examples(
      'skillrun agents create invoices -p "Extract the invoice" --schema invoice.schema.json',
      'skillrun execute --name invoices -i invoice.pdf',
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const { prompt, schema, skillId, tier, callback } = command.optsWithGlobals<CreateOptions>()
      const json_schema = schema === undefined ? undefined : await readSchemaFile(schema, terminal)
      const config = { prompt, json_schema, skills: skillId?.map(referenceTo), service_tier: tier }
      const client = await command.connect()
      show(await client.agents.create({ name, config, callback_url: callback }), command, terminal)
    })
}

function show(agent: AgentInfo | AgentCreationResponse, command: Command, terminal: Terminal): void {
  if (command.isJson) {
    terminal.print(renderJson(agent))
    return
  }
  const fields = Object.entries(agent).filter(([, value]) => value !== null && typeof value !== 'object')
  terminal.print(renderFields(fields.map(([name, value]) => [name, String(value)] as const)))
  if ('json_schema' in agent && agent.json_schema) terminal.print(`\n${renderJson(agent.json_schema)}`)
}
