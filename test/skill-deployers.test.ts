import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { uploadSkill } from 'ai'
import { afterAll, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { readZip } from '../packages/server/src/features/skills/read-zip.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const seen: MockRequest[] = []
const model = await startMockModel({
  script: (request) => {
    seen.push(request)
    return { text: 'Two.' }
  },
})
const service = await opened(
  openTestService({
    file: {
      providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } },
      limits: { requests_per_minute: 100_000 },
    } as never,
  }),
)
afterAll(async () => {
  await model[Symbol.asyncDispose]()
})

async function bundleOfSkill(id: string): Promise<ReadonlyMap<string, Buffer>> {
  const { json } = await service.call('GET', `/v1/skills/${id}/download`)
  return (await readZip(Buffer.from(await (await fetch(json.download_url)).arrayBuffer()))).files
}

const bundleOf = (name: string) =>
  new Map([
    ['SKILL.md', `---\nname: ${name}\ndescription: Counts plums\n---\nRead references/rules.md.\n`],
    ['references/rules.md', 'Green plums do not count.\n'],
    ['scripts/count.py', 'print("två")\n'],
  ])

test.each([
  [
    'Anthropic',
    'plums-of-anthropic',
    () => createAnthropic({ baseURL: `${service.url}/anthropic/v1`, apiKey: service.key }),
  ],
  ['OpenAI', 'plums-of-openai', () => createOpenAI({ baseURL: `${service.url}/v1/openai`, apiKey: service.key })],
])("the AI SDK's provider of %s deploys a folder as it is, by the base URL", async (_name, name, providerOf) => {
  const files = bundleOf(name)
  const upload = () =>
    uploadSkill({
      api: providerOf(),
      files: [...files].map(([path, text]) => ({ path: `${name}/${path}`, data: new TextEncoder().encode(text) })),
    })
  const deployed = await upload()
  expect(deployed).toMatchObject({ name, description: 'Counts plums', latestVersion: expect.any(String) })
  // Deploying again is the next version of the same skill.
  expect((await upload()).providerReference).toEqual(deployed.providerReference)

  const { json } = await service.call('POST', '/v1/skills/lookup', { body: { name } })
  expect(json).toMatchObject({ name, number: 2 })
  const stored = await bundleOfSkill(json.id)
  expect(new Map([...stored].map(([path, bytes]) => [path, bytes.toString('utf8')]))).toEqual(files)

  // It runs, by the name that it was deployed under.
  const run = await service.call('POST', '/v1/agent/execute', {
    body: {
      batch: false,
      model: 'svc-agent-1:fast',
      inputs: { basket: 'Two plums' },
      config: { prompt: 'How many?', skills: [{ skill_id: name }] },
    },
  })
  expect(run.json).toMatchObject({
    status: 'completed',
    response: 'Two.',
    skills: [{ name, skill_version: json.skill_version }],
  })
  expect(seen.at(-1)?.text).toContain('Counts plums')
})

const require = createRequire(import.meta.url)
/** Skills that Playwright publishes in its package, under Apache-2.0. */
const published = join(dirname(require.resolve('playwright-core/package.json')), 'lib', 'tools', 'skills')

async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const path of (await readdir(folder, { recursive: true })).toSorted())
    if ((await stat(join(folder, path))).isFile()) files.set(path, await readFile(join(folder, path)))
  return files
}

test('what `npx skills add` installs is created as it is, and published skills need no correction', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-deployed-'))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  await promisify(execFile)(
    process.execPath,
    [
      join(dirname(require.resolve('skills/package.json')), 'bin', 'cli.mjs'),
      ...['add', published, '--skill', '*', '--agent', 'claude-code', '--copy', '--yes'],
    ],
    // Without the usage report that it sends otherwise.
    { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, DISABLE_TELEMETRY: '1', CI: '1' } },
  )
  const installed = join(folder, '.claude', 'skills')
  const names = (await readdir(installed)).toSorted()
  expect(names).toEqual((await readdir(published)).toSorted())
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) {
    const { code, stderr, stdout } = await skillrun(['skills', 'create', join(installed, name), '--json'], {
      folder: service.dataFolder,
      environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key },
    })
    expect(code, stderr).toBe(0)
    const { id, review } = JSON.parse(stdout)
    // Their references name addresses and commands of the network, which are no scripts.
    expect(review.filter(({ kind }: { kind: string }) => kind !== 'front_matter')).toEqual([])
    expect(await bundleOfSkill(id)).toEqual(await filesIn(join(published, name)))
  }
})
