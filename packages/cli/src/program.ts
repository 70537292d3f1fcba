import { CommanderError } from 'commander'
import { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { version } from './installation.ts'
import type { Terminal } from './terminal.ts'

type Add = (program: Command, terminal: Terminal, setExitCode: (code: number) => void) => void

/** Commands with their module, which is loaded only if one of them is asked for: most of a start is loading. In the order of the help. */
export const commandModules: readonly { readonly names: readonly string[]; readonly load: () => Promise<Add> }[] = [
  { names: ['serve', 'worker'], load: async () => (await import('./commands/serve.ts')).addServe },
  { names: ['execute'], load: async () => (await import('./commands/execute.ts')).addExecute },
  { names: ['executions'], load: async () => (await import('./commands/executions.ts')).addExecutions },
  { names: ['batch', 'backfill', 'batches'], load: async () => (await import('./batches/batches.ts')).addBatches },
  { names: ['chat'], load: async () => (await import('./commands/chat.ts')).addChat },
  { names: ['files'], load: async () => (await import('./commands/files.ts')).addFiles },
  { names: ['artifacts'], load: async () => (await import('./commands/artifacts.ts')).addArtifacts },
  { names: ['agents'], load: async () => (await import('./commands/agents.ts')).addAgents },
  { names: ['skills'], load: async () => (await import('./commands/skills.ts')).addSkills },
  { names: ['feedback'], load: async () => (await import('./commands/feedback.ts')).addFeedback },
  { names: ['review'], load: async () => (await import('./reviews/reviews.ts')).addReviews },
  {
    names: ['approve', 'reject', 'approvals'],
    load: async () => (await import('./approvals/approvals.ts')).addApprovals,
  },
  { names: ['verify'], load: async () => (await import('./capsules/capsules.ts')).addVerify },
  { names: ['replay', 'fork', 'diff'], load: async () => (await import('./replays/replays.ts')).addReplays },
  { names: ['capsule-keys'], load: async () => (await import('./capsules/capsules.ts')).addCapsuleKeys },
  { names: ['usage'], load: async () => (await import('./commands/usage.ts')).addUsage },
  { names: ['keys'], load: async () => (await import('./commands/keys.ts')).addKeys },
  { names: ['users'], load: async () => (await import('./users/users.ts')).addUsers },
  { names: ['models'], load: async () => (await import('./commands/models.ts')).addModels },
  { names: ['embed'], load: async () => (await import('./commands/models.ts')).addEmbed },
  { names: ['mcp'], load: async () => (await import('./mcp/mcp.ts')).addMcp },
  {
    names: ['health', 'audit', 'callback-secret', 'domains'],
    load: async () => (await import('./commands/workspace.ts')).addWorkspace,
  },
  {
    names: ['top', 'settings', 'tools', 'sessions'],
    load: async () => (await import('./server-state/server-state.ts')).addServerState,
  },
  { names: ['login'], load: async () => (await import('./commands/login.ts')).addLogin },
  { names: ['secret-key'], load: async () => (await import('./commands/secret-key.ts')).addSecretKey },
  {
    names: ['backup', 'restore', 'migrate-database', 'upgrade-database'],
    load: async () => (await import('./maintenance/backups.ts')).addBackups,
  },
  { names: ['support-bundle'], load: async () => (await import('./maintenance/support-bundle.ts')).addSupportBundle },
  { names: ['doctor'], load: async () => (await import('./commands/doctor.ts')).addDoctor },
  // It lists all the others, so it is never the only one.
  { names: [], load: async () => (await import('./commands/completion.ts')).addCompletion },
]

/** Runs the command that these words ask for. Throws what it throws, but for wrong words, which commander has explained. */
export async function runCommand(
  words: readonly string[],
  terminal: Terminal,
  setExitCode: (code: number) => void,
): Promise<void> {
  try {
    const program = await programOf(words, terminal, setExitCode)
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Requested help is not an error.
    setExitCode(error.exitCode === 0 ? exitCodes.completed : exitCodes.usage)
  }
}

/** The command `skillrun` with the commands that these words may need: one, if the first word names it, otherwise all. */
export async function programOf(
  words: readonly string[],
  terminal: Terminal,
  setExitCode: (code: number) => void,
): Promise<Command> {
  const program: Command = new Command(terminal, 'skillrun')
    .description('Run agents with skills over documents, images and other media. Without a command, starts the server.')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .option('--url <URL>', 'server URL (default: SKILLRUN_URL, "skillrun login", or this machine)')
    .option(
      '--key <KEY>',
      'API key (default: SKILLRUN_API_KEY, "skillrun login", or the key of the server on this machine)',
    )
    .option('--json', 'print JSON instead of tables')
    .configureHelp({
      showGlobalOptions: true,
      // Options of a command are not those of its subcommands: `backup --keep`, `backup verify`.
      visibleGlobalOptions: ({ parent }) => (parent === null ? [] : [...program.options]),
    })
    .configureOutput({
      writeOut: terminal.print,
      writeErr: (text) => terminal.log(text.replace(/\n+$/, '')),
      outputError: (text, write) => write(text.replace(/^error: /, 'skillrun: ')),
    })
    .exitOverride()
    .examples(
      'skillrun serve',
      'skillrun execute -i invoice.pdf --schema invoice.schema.json -p "Extract the invoice"',
      'skillrun doctor',
    )
  const named = commandModules.filter(({ names }) => names.includes(words[0] ?? ''))
  const needed = named.length > 0 ? named : commandModules
  for (const add of await Promise.all(needed.map(({ load }) => load()))) add(program, terminal, setExitCode)
  return program
}
