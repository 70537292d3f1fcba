import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { uploadSkill } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MockRequest, startMockModel } from '../bench/mock-model.ts'
import { readZip } from '../packages/server/src/features/skills/read-zip.ts'
import { openTestService, type TestService } from './support/service.ts'

const seen: MockRequest[] = []
const model = await startMockModel({
  script: (request) => {
    seen.push(request)
    return { text: 'Two.' }
  },
})
let service: TestService
beforeAll(async () => {
  service = await openTestService({
    file: {
      providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } },
      limits: { requests_per_minute: 100_000 },
    } as never,
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

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
  const download = (await service.call('GET', `/v1/skills/${json.id}/download`)).json
  const zip = Buffer.from(await (await fetch(download.download_url)).arrayBuffer())
  expect(new Map([...(await readZip(zip))].map(([path, bytes]) => [path, bytes.toString('utf8')]))).toEqual(files)

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
