import { readFile } from 'node:fs/promises'
import type { ListedSkill, Operations, Skill } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { Option } from 'commander'
import { packSkill, unpackSkill } from '../bundles/skill-folder.ts'
import { packSource } from '../bundles/skill-source.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { findSkill } from '../find-skill.ts'
import { addImprovements } from '../improvements/improvements.ts'
import { readSchemaFile } from '../local-json.ts'
import { given, wholeNumber } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { lookUntil } from '../wait.ts'
import { addEvaluations } from './evaluations.ts'
import { addPrograms } from './programs.ts'
import { addSkillDiff } from './skill-diff.ts'

/** Options for the content of a skill. */
interface ContentOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly schema?: string
  readonly description?: string
}

/** `skillrun skills`: creates, lists and downloads skills. */
export function addSkills(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  const skills = program
    .command('skills')
    .description('create, list and download skills')
    .examples('skillrun skills create receipts', 'skillrun skills list')
  addCreate(skills, terminal, setExitCode)
  addUpdate(skills, terminal)
  addList(skills, terminal)
  addDownload(skills, terminal)
  addEvaluations(skills, { terminal, setExitCode })
  addImprovements(skills, { terminal, setExitCode })
  addPrograms(skills, { terminal, setExitCode })
  addSkillDiff(skills, { terminal })
  skills
    .command('get <SKILL>')
    .description('show a skill, by id, NAME or NAME:VERSION')
    .examples('skillrun skills get invoices', 'skillrun skills get invoices:2 --json')
    .action(async (reference: string, _: unknown, command: Command) => {
      show(await findSkill(await command.connect(), reference), command, terminal)
    })
  skills
    .command('versions <SKILL>')
    .description('list all versions of a skill, newest first')
    .examples('skillrun skills versions invoices')
    .action(async (reference: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      showAll(await client.skills.versions(id), command, terminal)
    })
  skills
    .command('delete <SKILL>')
    .description('delete a version of a skill')
    .examples('skillrun skills delete invoices:1')
    .action(async (reference: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      const gone = await client.skills.delete(id)
      command.report(gone, `deleted ${printable(gone.name)} ${printable(gone.skill_version)} (${printable(gone.id)})`)
    })
}

const contentOptions = (command: Command): Command =>
  command
    .option('-p, --prompt <TEXT>', 'instructions')
    .addOption(new Option('--prompt-file <FILE>', 'file with the instructions').conflicts('prompt'))
    .option('--schema <FILE>', 'with instructions: JSON Schema of the response')
    .option('--description <TEXT>', 'description of the skill')

interface CreateOptions extends ContentOptions {
  readonly session?: string
  readonly name?: string
  readonly public?: boolean
  readonly wait: boolean
}

function addCreate(skills: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  const create = skills
    .command('create [SOURCE]')
    .description(
      'create a skill, or its next version, from a folder with SKILL.md, a zip, the URL of a zip, a prompt or a session',
    )
  contentOptions(create)
    .option('--session <ID>', 'session to create the skill from')
    .option('--name <NAME>', 'name of the skill (default: from SKILL.md, or derived from the instructions)')
    .option('--public', 'make it public for all workspaces of the server')
    .option('--no-wait', 'with --session: do not wait for the test run of the skill')
    .examples(
      'skillrun skills create ./invoices',
      'skillrun skills create https://example.com/skills.zip',
      'skillrun skills create -p "Extract the totals" --schema totals.schema.json --name totals',
      'skillrun skills create --session 0192f0c1-… --name invoices',
    )
    .action(async (source: string | undefined, options: CreateOptions, command: Command) => {
      const ways = [source, options.prompt ?? options.promptFile, options.session].filter((way) => way !== undefined)
      if (ways.length !== 1)
        throw new Fault(
          'invalid',
          'one_way',
          'Give exactly one of a folder, a zip, instructions (-p or --prompt-file) and --session',
        )
      const packed = source === undefined ? [undefined] : await packSource(source, terminal)
      if (packed.length > 1 && options.name !== undefined)
        throw new Fault(
          'invalid',
          'one_way',
          `${source} has ${packed.length} skills (${packed.map((one) => one?.name ?? '?').join(', ')}); leave out --name`,
        )
      const content = await contentOf(options, terminal)
      const client = await command.connect()
      const made: Skill[] = []
      for (const one of packed) {
        const file = one && (await sendZip(one.zip, client, terminal))
        const body = {
          ...given({ name: options.name ?? one?.name, description: one?.description }),
          ...content,
          ...given({ file_id: file?.id, session_id: options.session }),
          ...(options.public ? { is_public: true } : {}),
        }
        const begun = await client.call<Skill>('/v1/skills/create', { method: 'POST', body })
        made.push(options.wait ? await settled(begun, client, terminal) : begun)
      }
      const [only] = made
      if (made.length === 1 && only) show(only, command, terminal)
      else showAll(made, command, terminal)
      if (made.some(({ status }) => status === 'failed')) setExitCode(1)
    })
}

interface UpdateOptions extends ContentOptions {
  readonly public?: boolean
}

function addUpdate(skills: Command, terminal: Terminal): void {
  const update = skills
    .command('update <SKILL> [FOLDER]')
    .description('create the next version of a skill; everything not given stays unchanged')
  contentOptions(update)
    .option('--public', 'make it public for all workspaces of the server')
    .option('--no-public', 'make it private')
    .examples('skillrun skills update invoices ./invoices', 'skillrun skills update invoices --schema new.schema.json')
    .action(async (reference: string, folder: string | undefined, options: UpdateOptions, command: Command) => {
      const packed =
        folder === undefined ? undefined : await packSkill(callerPath(folder, terminal.environment), folder)
      const content = await contentOf(options, terminal)
      const client = await command.connect()
      const { id } = await findSkill(client, reference)
      const file = packed && (await sendZip(packed.zip, client, terminal))
      const isPublicSaid = command.getOptionValueSource('public') === 'cli'
      const body = {
        ...content,
        ...given({ file_id: file?.id }),
        ...(isPublicSaid ? { is_public: options.public === true } : {}),
      }
      show(await client.skills.update(id, body), command, terminal)
    })
}

function addList(skills: Command, terminal: Terminal): void {
  skills
    .command('list')
    .description('list skills with their latest version')
    .option('--all', 'every version')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 50)
    .option('--offset <COUNT>', 'number to skip', wholeNumber(0), 0)
    .addOption(
      new Option('--order-by <FIELD>', 'sort by').choices(['created_at', 'updated_at', 'name']).default('created_at'),
    )
    .option('--ascending', 'sort in ascending order')
    .examples('skillrun skills list', 'skillrun skills list --order-by name --ascending')
    .action(async (options: ListOptions, command: Command) => {
      const client = await command.connect()
      const query = {
        limit: options.limit,
        offset: options.offset,
        order_by: options.orderBy,
        descending: !options.ascending,
        grouped: !options.all,
      }
      showAll(await client.skills.list(query), command, terminal)
    })
}

interface ListOptions {
  readonly all?: boolean
  readonly limit: number
  readonly offset: number
  readonly orderBy: NonNullable<Operations['listSkills']['query']['order_by']>
  readonly ascending?: boolean
}

function addDownload(skills: Command, terminal: Terminal): void {
  skills
    .command('download <SKILL>')
    .description('download a skill and unpack it')
    .option('-o, --output <FOLDER>', 'new or empty folder to unpack into (default: a folder named after the skill)')
    .option('--zip', 'write the zip file to stdout')
    .examples('skillrun skills download invoices', 'skillrun skills download invoices:1 --zip > invoices.zip')
    .action(async (reference: string, options: { output?: string; zip?: boolean }, command: Command) => {
      const client = await command.connect()
      const skill = await findSkill(client, reference)
      const zip = Buffer.from(await client.skills.download(skill.id))
      if (options.zip) {
        process.stdout.write(zip)
        return
      }
      const folder = callerPath(options.output ?? folderNameOf(skill), terminal.environment)
      const files = await unpackSkill(zip, folder)
      if (command.isJson) terminal.print(renderJson({ ...skill, path: folder, unpacked: files }))
      else terminal.log(`wrote ${files.length} files to ${folder}`)
    })
}

/** A name from the server never leads outside the folder. */
const folderNameOf = ({ id, name }: Skill): string =>
  printable(name)
    .replaceAll(/[/\\:]+/g, '-')
    .replace(/^\.+/, '')
    .trim() || id

async function contentOf(options: ContentOptions, terminal: Terminal) {
  const { promptFile, schema } = options
  const prompt =
    promptFile === undefined
      ? options.prompt
      : await readFile(callerPath(promptFile, terminal.environment), 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw new Fault('invalid', 'bad_file', `${promptFile} cannot be read: ${error.message}`)
        })
  const json = schema === undefined ? undefined : await readSchemaFile(schema, terminal)
  return given({ prompt, description: options.description, json_schema: json })
}

const sendZip = (zip: Buffer, client: Client, terminal: Terminal) =>
  sendFile({ filename: 'skill.zip', bytes: zip.length, content: new Blob([new Uint8Array(zip)]) }, { client, terminal })

/** Polls a skill until it has completed or failed. */
async function settled(first: Skill, client: Client, terminal: Terminal): Promise<Skill> {
  return lookUntil(first, {
    terminal,
    isUnderWay: ({ status }) => status === 'pending' || status === 'running',
    look: () => client.skills.get(first.id),
    message: 'waiting for the test run of the skill',
  })
}

function showAll(skills: readonly (Skill | ListedSkill)[], command: Command, terminal: Terminal): void {
  if (command.isJson) {
    terminal.print(renderJson(skills))
    return
  }
  const rows = skills.map((one) => [one.id, one.skill_version, renderMoment(one.created_at), one.name, one.description])
  terminal.print(renderTable(['ID', 'VERSION', 'CREATED', 'NAME', 'DESCRIPTION'], rows, terminal.columns))
}

/** The most important properties of a skill; its JSON has all of them. */
const shownFields: readonly (keyof Skill)[] = [
  'id',
  'name',
  'skill_version',
  'number',
  'status',
  'description',
  'is_public',
  'model',
  'created_at',
]

function show(skill: Skill, command: Command, terminal: Terminal): void {
  if (command.isJson) {
    terminal.print(renderJson(skill))
    return
  }
  const fields = shownFields.filter((name) => skill[name] !== undefined && skill[name] !== null)
  terminal.print(renderFields(fields.map((name) => [name, String(skill[name])] as const)))
  const { error, review, warnings } = skill
  if (error) terminal.log(printable(error.message))
  for (const { message } of warnings ?? []) terminal.log(printable(`warning: ${message}`))
  for (const { path, line, message } of review ?? [])
    terminal.log(printable(`check ${path}${line ? `:${line}` : ''}: ${message}`))
}
