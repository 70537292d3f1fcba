import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { filesOfZip } from './support/zips.ts'

const folder = await temporaryFolder('support', afterAll)
const service = await opened(openTestService())

const files = ['versions', 'doctor', 'environment', 'configuration', 'settings', 'queues'].map((name) => `${name}.json`)

/** The content of every file in the zip, by name. */
async function unpacked(zip: string): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await filesOfZip(await readFile(zip)))].map(([name, bytes]) => [name, bytes.toString()]))
}

test('a support bundle says how the server runs, and holds no secret, address, document or text of the configuration', async () => {
  const document = 'Total: EUR 12.50 for Hidden Valley'
  await service.call('POST', '/v1/agent/execute', {
    body: { batch: false, inputs: { mail: document }, config: { prompt: 'Extract the total' } },
  })
  const log = [
    { level: 30, time: 1, msg: 'request answered', requestId: 'r-1', status: 200, ms: 3, note: 'Hidden Valley' },
    {
      level: 50,
      time: 2,
      msg: 'a tool failed',
      error: { message: 'cannot read Hidden Valley', stack: 'at hidden.ts' },
    },
  ]
  await writeFile(
    join(folder, 'server.log'),
    `${log.map((line) => JSON.stringify(line)).join('\n')}\nplain hidden text\n`,
  )
  const configuration = {
    providers: { own: { key: 'sk-hidden-1', url: 'https://u:hidden-2@host' } },
    limits: { retention_days: 30 },
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(configuration))
  const environment = {
    SKILLRUN_URL: service.url,
    SKILLRUN_API_KEY: service.key,
    SKILLRUN_CONFIG: join(folder, 'config.json'),
    DATABASE_URL: 'postgres://hidden-3:hidden-4@127.0.0.1:1/hidden-5',
    OPENAI_API_KEY: 'hidden-6',
    SKILLRUN_SECRET_KEY: 'hidden-7',
    SKILLRUN_SLOTS: 'standard=3',
    UNRELATED: 'hidden-8',
  }
  const args = ['support-bundle', 'bundle.zip', '--log', 'server.log']
  expect(await skillrun(args, { folder, environment })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Look through it before you send it'),
  })
  const parts = await unpacked(join(folder, 'bundle.zip'))
  expect([...parts.keys()].sort()).toEqual([...files, 'log.jsonl', 'metrics.txt'].sort())
  const all = [...parts.values()].join('\n')
  expect(all).not.toMatch(/hidden/i)
  expect(all).not.toContain(service.key)
  expect(all).not.toContain('EUR 12.50')
  expect(JSON.parse(parts.get('environment.json') ?? '')).toMatchObject({
    SKILLRUN_SLOTS: 'standard=3',
    OPENAI_API_KEY: '(set)',
  })
  expect(JSON.parse(parts.get('configuration.json') ?? '')).toMatchObject({ limits: { retention_days: 30 } })
  expect(JSON.parse(parts.get('settings.json') ?? '')).toHaveProperty('limits')
  expect(JSON.parse(parts.get('queues.json') ?? '')).toHaveProperty('tiers')
  expect(parts.get('metrics.txt')).toContain('skillrun_runs_ended_total')
  expect(parts.get('log.jsonl')).toContain('"msg":"request answered"')
  expect(parts.get('log.jsonl')).toContain('"left_out":["error"]')
})

test('without a server the bundle says so in the parts that come from it', async () => {
  const environment = { SKILLRUN_URL: 'http://127.0.0.1:65534', SKILLRUN_API_KEY: 'a-key-that-is-long-enough' }
  expect(await skillrun(['support-bundle'], { folder, environment })).toMatchObject({ code: 0 })
  const parts = await unpacked(join(folder, 'skillrun-support.zip'))
  expect(JSON.parse(parts.get('settings.json') ?? '')).toEqual({
    failed: expect.stringContaining('No server responds'),
  })
  expect(parts.get('doctor.json')).toContain('"Node"')
})

test('a log that cannot be read is refused before anything is written', async () => {
  const environment = { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key }
  expect(await skillrun(['support-bundle', 'x.zip', '--log', 'nowhere.log'], { folder, environment })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere.log cannot be read'),
  })
})

test('a bundle at a place that cannot be written is refused with a sentence', async () => {
  const environment = { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key }
  expect(await skillrun(['support-bundle', 'nowhere/x.zip'], { folder, environment })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^skillrun: .*nowhere\/x\.zip cannot be written: ENOENT/),
  })
})
