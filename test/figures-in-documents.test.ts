import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../packages/server/src/config.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { shadowDefaults } from '../packages/server/src/features/programs/programs.ts'
import { scopesOf } from '../packages/server/src/features/users/roles.ts'

/** Figures and lists that documents state are those of the code: each text below is built from the code and must be in the document. */

const count = (value: number): string => value.toLocaleString('en-US')
const gibibytes = (bytes: number): string => `${bytes / 1024 ** 3} GiB`
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`

function duration(ms: number): string {
  const units = [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ] as const
  const [name, unitMs] = units.find(([, unit]) => ms >= unit) ?? units[2]
  return `${ms / unitMs} ${name}`
}

const config = readConfig({}, '/')
const slots = Object.entries(config.slots).map(([tier, some]) => `${tier}=${some}`)
const { codePrograms } = limits
const callbackDelays = limits.callbackPausesMs.filter((ms) => ms < 86_400_000).map(duration)

const stated: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `| \`PORT\`, \`HOST\` | where the server listens (${config.port}, ${config.host}) |`,
    `concurrent runs per tier and process (\`${slots.join(',')}\`)`,
    `structured logs on standard error (\`${config.logLevel}\`)`,
    `\`${config.role}\` (default)`,
    `one configuration for up to ${count(limits.batchItemsMax)} documents`,
  ],
  'docs/guides/operations.md': [
    `| \`waiting_per_tier\` | ${count(limits.waitingPerTier)} |`,
    `| \`waiting_per_workspace\` (per tier) | ${count(limits.waitingPerWorkspace)} |`,
    `| \`requests_per_minute\` (per key, all processes together) | ${count(limits.requestsPerMinute)} |`,
    `| ${limits.eventStreamsPerWorkspaceMax}, of ${count(limits.eventStreamsMax)} in all |`,
    `| \`model_turns\` (of one execution) | ${count(limits.modelTurnsMax)} |`,
    `| ${gibibytes(limits.storageBytesPerWorkspaceMax)} | 413;`,
    `all processes together) | ${limits.uploadsPerKeyMax} | 429 |`,
    `| ${limits.uploadWallMs / 3_600_000} hours, ${limits.uploadBytesPerSecondMin / 1024} KiB/s | 408 |`,
    `counted by address, ${limits.badKeysPerMinute} per minute`,
    `exit within ${limits.drainMs / 1000} |`,
    `A process sends ${limits.callbackSlots} at once: at most ${limits.callbackSlotsPerWorkspace} of one workspace, ${limits.callbackSlotsPerReceiver} per receiver`,
    `and ${limits.callbackSlowSlotsPerWorkspace} of one workspace to receivers`,
  ],
  'docs/guides/models.md': [
    `at most ${limits.modelAttemptsMax} calls (\`limits.model_attempts\`)`,
    `${limits.modelCallWallMs / 60_000} minutes (\`limits.model_call_ms\`)`,
    `short reply (${limits.shortReplyTokens} tokens)`,
  ],
  'docs/guides/ollama.md': [`${limits.modelCallWallMs / 60_000} minutes (\`limits.model_call_ms\`)`],
  'docs/guides/code-agent.md': [
    `| total time, including waits for tools | ${codePrograms.wallMs / 1000} s |`,
    `| CPU time | ${codePrograms.cpuMs / 1000} s |`,
    `| memory | ${codePrograms.memoryMb} MB |`,
    `| return value, or arguments of a tool call | ${codePrograms.outputBytesMax / 1024 ** 2} MB, ${count(limits.jsonValuesMax)} values |`,
    `| tool calls | ${count(codePrograms.hostCallsMax)}, and`,
    `| console output | ${codePrograms.consoleBytesMax / 1024} KB |`,
    `at most ${limits.asksPerProgramMax} per program`,
  ],
  'docs/guides/callbacks.md': [
    `within ${limits.callbackWallMs / 1000} seconds`,
    `At most ${limits.callbackSlotsPerReceiver} callbacks of a workspace are in flight to one receiver`,
    `There are ${limits.callbackPausesMs.length + 1} attempts within ${limits.callbackWindowMs / 3_600_000} hours`,
    `about ${callbackDelays.join(', ')} and then a day each`,
  ],
  'docs/guides/batches.md': [
    `up to ${count(limits.batchItemsMax)} documents`,
    `At most \`max_in_flight\` executions (default ${limits.batchInFlight})`,
  ],
  'docs/guides/skills.md': [
    `more than ${mebibytes(limits.bundleZipBytesMax)} packed, ${mebibytes(limits.bundleBytesMax)} unpacked, ${count(limits.bundleEntriesMax)} entries`,
    `${limits.bundleDepthMax} levels of folders, ${limits.bundlePathBytesMax} bytes of path, or ${limits.bundleRatioMax} times the packed size`,
  ],
  'docs/guides/programs.md': [
    `${shadowDefaults.share * 100} % of the rest also run as an agent`,
    `at most \`programs.wrong_rate_max\` (${shadowDefaults.wrongRateMax * 100} %)`,
  ],
  'docs/guides/sign-in.md': [
    ...Object.entries(scopesOf).map(
      ([role, scopes]) => `| \`${role}\` | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`,
    ),
    `of ${limits.passwordCharactersMin} characters or more`,
    `ends after ${limits.sessionIdleMs / 3_600_000} hours without use and after ${limits.sessionMs / 86_400_000} days`,
  ],
}

test.each(Object.entries(stated))('%s states the figures of the code', async (path, texts) => {
  const document = await readFile(join(import.meta.dirname, '..', path), 'utf8')
  expect(texts.filter((text) => !document.includes(text))).toEqual([])
})
