import { addApprovals } from './approvals/approvals.ts'
import { addBatches } from './batches/batches.ts'
import { addCapsuleKeys, addVerify } from './capsules/capsules.ts'
import { version } from './client.ts'
import { Command } from './command.ts'
import { addAgents } from './commands/agents.ts'
import { addArtifacts } from './commands/artifacts.ts'
import { addChat } from './commands/chat.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExecute } from './commands/execute.ts'
import { addExecutions } from './commands/executions.ts'
import { addFeedback } from './commands/feedback.ts'
import { addFiles } from './commands/files.ts'
import { addKeys } from './commands/keys.ts'
import { addLogin } from './commands/login.ts'
import { addEmbed, addModels } from './commands/models.ts'
import { addSecretKey } from './commands/secret-key.ts'
import { addServe } from './commands/serve.ts'
import { addSkills } from './commands/skills.ts'
import { addUsage } from './commands/usage.ts'
import { addWorkspace } from './commands/workspace.ts'
import { addBackups } from './maintenance/backups.ts'
import { addSupportBundle } from './maintenance/support-bundle.ts'
import { addMcp } from './mcp/mcp.ts'
import { addReplays } from './replays/replays.ts'
import { addReviews } from './reviews/reviews.ts'
import { addServerState } from './server-state/server-state.ts'
import type { Terminal } from './terminal.ts'
import { addUsers } from './users/users.ts'

/** The command `skillrun` with all its commands. */
export function programOf(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const program = new Command(terminal, 'skillrun')
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
    .configureHelp({ showGlobalOptions: true })
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
  addServe(program, terminal, setExitCode)
  addExecute(program, terminal, setExitCode)
  addExecutions(program, terminal, setExitCode)
  addBatches(program, terminal, setExitCode)
  addChat(program, terminal)
  addFiles(program, terminal)
  addArtifacts(program, terminal)
  addAgents(program, terminal)
  addSkills(program, terminal, setExitCode)
  addFeedback(program, terminal)
  addReviews(program, terminal)
  addApprovals(program, terminal)
  addVerify(program, terminal)
  addReplays(program, terminal, setExitCode)
  addCapsuleKeys(program, terminal)
  addUsage(program, terminal)
  addKeys(program, terminal)
  addUsers(program, terminal)
  addModels(program, terminal)
  addEmbed(program, terminal)
  addMcp(program, terminal)
  addWorkspace(program, terminal)
  addServerState(program, terminal)
  addLogin(program, terminal)
  addSecretKey(program, terminal)
  addBackups(program, terminal)
  addSupportBundle(program, terminal)
  addDoctor(program, terminal, setExitCode)
  addCompletion(program, terminal)
  return program
}
