import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readZip } from '../packages/server/src/features/skills/read-zip.ts'
import { writeZip } from '../packages/server/src/features/skills/write-zip.ts'
import { failureOf } from './support/failure-of.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

let openai: OpenAI
let anthropic: Anthropic
/** Replies about stalled fruit wait for it. */
let stall: Promise<unknown> = Promise.resolve()
const model = await startMockModel({
  script: async ({ text }) => {
    if (text.includes('stalled fruit')) await stall
    return { text: text.includes('Counts fruit') ? 'Pears.' : 'No.' }
  },
})

const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:fast': 'mine/one' }, limits: { requests_per_minute: 1_000_000 } },
    },
  }),
)
beforeAll(async () => {
  openai = openaiOf(service.key)
  anthropic = anthropicOf(service.key)
})
afterAll(async () => {
  await model[Symbol.asyncDispose]()
})
const openaiOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })
const anthropicOf = (apiKey: string) => new Anthropic({ apiKey, baseURL: `${service.url}/anthropic`, maxRetries: 0 })

type Files = ReadonlyMap<string, Buffer>
const skillMd = (name: string, body = 'When asked, count the pears.') =>
  Buffer.from(`---\nname: ${name}\ndescription: Counts fruit\n---\n${body}\n`)
const fileOf = (path: string, bytes: Buffer) => new File([new Uint8Array(bytes)], path)
const zipOf = async (files: Files, executables?: ReadonlySet<string>) =>
  fileOf('bundle.zip', await writeZip(files, executables))
const folderOf = (files: Files, folder: string) => [...files].map(([path, bytes]) => fileOf(`${folder}/${path}`, bytes))
const unpacked = async (response: { arrayBuffer(): Promise<ArrayBuffer> }) =>
  readZip(Buffer.from(await response.arrayBuffer()))
async function all<Item>(list: PromiseLike<AsyncIterable<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of await list) items.push(item)
  return items
}

/** Bundles with a few files of any bytes, in folders; some may be executed. */
const step = fc.stringMatching(/^[a-z0-9äöü_][a-z0-9äöü_-]{0,11}$/)
const bundles = fc
  .uniqueArray(
    fc.record({
      path: fc.array(step, { minLength: 1, maxLength: 4 }),
      bytes: fc.uint8Array({ maxLength: 3_000 }),
      isExecutable: fc.boolean(),
    }),
    {
      maxLength: 8,
      selector: ({ path }) => path[0]?.normalize('NFKC').toLowerCase(),
    },
  )
  .map((files) => {
    const others = files.map(({ path, ...file }) => ({ ...file, path: `${path.join('/')}.bin`.normalize('NFC') }))
    return {
      files: new Map([
        ['SKILL.md', skillMd('pear-count')],
        ...others.map(({ path, bytes }) => [path, Buffer.from(bytes)] as const),
      ]),
      executables: new Set(others.flatMap(({ path, isExecutable }) => (isExecutable ? [path] : []))),
    }
  })
/** The gate generates few; SKILLRUN_BUNDLES=500 generates as many as a release is checked with. */
const runs = Number(process.env['SKILLRUN_BUNDLES'] ?? 12)

describe('the Skills API of Anthropic', () => {
  test('creates, lists, versions and deletes skills, which messages use', async () => {
    const files = new Map([
      ['SKILL.md', skillMd('pears')],
      ['notes/a.md', Buffer.from('A note')],
    ])
    const made = await anthropic.skills.create({ files: folderOf(files, 'pears') })
    expect(made).toMatchObject({ type: 'skill', display_name: 'pears', source: { type: 'custom' } })
    const second = await anthropic.skills.versions.create(made.id, { files: [await zipOf(files)] })
    expect(second).toMatchObject({
      type: 'skill_version',
      skill_id: made.id,
      name: 'pears',
      description: 'Counts fruit',
    })
    expect(await anthropic.skills.retrieve(made.id)).toMatchObject({ id: made.id, latest_version_id: second.id })
    await anthropic.skills.create({ files: [await zipOf(new Map([['SKILL.md', skillMd('plums')]]))] })
    expect((await all(anthropic.skills.list({ limit: 1 }))).map((one) => one.display_name)).toEqual(['pears', 'plums'])
    const versions = await all(anthropic.skills.versions.list(made.id, { limit: 1 }))
    expect(versions.map(({ id }) => id)).toEqual([second.id, made.latest_version_id])
    const asked = {
      model: 'svc-agent-1:fast',
      max_tokens: 50,
      messages: [{ role: 'user' as const, content: 'How many?' }],
    }
    for (const version of ['latest', second.id]) {
      const container = { skills: [{ type: 'custom' as const, skill_id: made.id, version }] }
      const tools = [{ type: 'code_execution_20250825' as const, name: 'code_execution' as const }]
      const message = await anthropic.messages.create({ ...asked, container, tools })
      expect(message.content).toMatchObject([{ type: 'text', text: 'Pears.' }])
    }
    expect(await anthropic.skills.versions.delete(second.id, { skill_id: made.id })).toMatchObject({
      id: second.id,
      type: 'skill_version_deleted',
    })
    expect(await anthropic.skills.delete(made.id)).toEqual({ id: made.id, type: 'skill_deleted' })
    expect(await failureOf(anthropic.skills.retrieve(made.id))).toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error', code: 'unknown_skill' } },
    })
    expect((await all(anthropic.skills.list())).map((one) => one.display_name)).toEqual(['plums'])
    expect(await all(anthropic.skills.list({ source: 'anthropic' }))).toEqual([])
  })

  test('gives a bundle back byte by byte, sent as a zip, which has modes, or as files', async () => {
    await fc.assert(
      fc.asyncProperty(bundles, fc.boolean(), async ({ files, executables }, isZip) => {
        const sent = isZip ? [await zipOf(files, executables)] : folderOf(files, 'pear-count')
        const made = await anthropic.skills.create({ files: sent })
        const path = `/anthropic/v1/skills/${made.id}/versions/${made.latest_version_id}/content`
        const content = await fetch(service.url + path, { headers: { 'x-api-key': service.key } })
        expect(await unpacked(content)).toEqual({ files, executables: isZip ? executables : new Set() })
      }),
      { numRuns: runs, interruptAfterTimeLimit: 590_000 },
    )
  }, 600_000)

  test.each([
    ['no SKILL.md', () => [fileOf('a/notes.md', Buffer.from('x'))], 'SKILL.md'],
    ['a path out of the folder', () => [fileOf('../SKILL.md', skillMd('x'))], '..'],
    ['no zip', () => [fileOf('a.zip', Buffer.from('PK nothing'))], 'zip'],
    ['a colon in the name', () => [fileOf('a/SKILL.md', skillMd('apples:1'))], 'colon'],
  ])('refuses %s', async (_what, files, words) => {
    const error = await failureOf(anthropic.skills.create({ files: files() }))
    expect(error).toMatchObject({ status: 400, error: { error: { type: 'invalid_request_error' } } })
    expect(String(error)).toContain(words)
  })

  test('refuses a title and a version of another name', async () => {
    const files = [await zipOf(new Map([['SKILL.md', skillMd('apples')]]))]
    const titled = await failureOf(anthropic.skills.create({ files, display_name: 'My apples' }))
    expect(String(titled)).toContain('display_name')
    const made = await anthropic.skills.create({ files, display_name: 'apples' })
    const other = [await zipOf(new Map([['SKILL.md', skillMd('oranges')]]))]
    expect(String(await failureOf(anthropic.skills.versions.create(made.id, { files: other })))).toContain('apples')
  })
})

describe('the Skills API of OpenAI', () => {
  test('creates, lists, versions and deletes skills, which responses use', async () => {
    const files = new Map([
      ['SKILL.md', skillMd('cherries')],
      ['notes/a.md', Buffer.from('A note')],
    ])
    const made = await openai.skills.create({ files: await zipOf(files) })
    expect(made).toMatchObject({ object: 'skill', name: 'cherries', default_version: '1', latest_version: '1' })
    const second = await openai.skills.versions.create(made.id, { files: await zipOf(files) })
    expect(second).toMatchObject({ object: 'skill.version', skill_id: made.id, version: '2', name: 'cherries' })
    expect(await openai.skills.retrieve(made.id)).toMatchObject({ default_version: '2', latest_version: '2' })
    expect(await openai.skills.update(made.id, { default_version: '2' })).toMatchObject({ default_version: '2' })
    expect(await failureOf(openai.skills.update(made.id, { default_version: '1' }))).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
    })
    expect((await all(openai.skills.versions.list(made.id, { limit: 1 }))).map(({ version }) => version)).toEqual([
      '2',
      '1',
    ])
    expect(await openai.skills.versions.retrieve('1', { skill_id: made.id })).toMatchObject({ version: '1' })
    for (const content of [
      await openai.skills.content.retrieve(made.id),
      await openai.skills.versions.content.retrieve('1', { skill_id: made.id }),
    ])
      expect((await unpacked(content)).files).toEqual(files)
    const skills = [{ type: 'skill_reference' as const, skill_id: made.id, version: '1' }]
    const tools = [{ type: 'shell' as const, environment: { type: 'container_auto' as const, skills } }]
    const response = await openai.responses.create({ model: 'svc-agent-1:fast', input: 'How many?', tools })
    expect(response.output_text).toBe('Pears.')
    const listed = (await all(openai.skills.list({ limit: 1, order: 'asc' }))).map(({ name }) => name)
    expect(listed).toContain('cherries')
    expect(listed).toEqual(listed.toSorted())
    expect(await openai.skills.versions.delete('2', { skill_id: made.id })).toMatchObject({
      deleted: true,
      version: '2',
    })
    expect(await openai.skills.retrieve(made.id)).toMatchObject({ default_version: '1' })
    expect(await openai.skills.delete(made.id)).toEqual({ id: made.id, object: 'skill.deleted', deleted: true })
    expect(await failureOf(openai.skills.retrieve(made.id))).toMatchObject({ status: 404, code: 'unknown_skill' })
  })

  test('does not make a version the default that waits at its gate', async () => {
    const gated = new Map([
      ['SKILL.md', skillMd('gated')],
      ['skill.yaml', Buffer.from('publish_gate: 0.9\n')],
    ])
    const made = await openai.skills.create({ files: await zipOf(gated) })
    const held = await openai.skills.versions.create(made.id, { files: await zipOf(gated) })
    const asked = () => openai.skills.update(made.id, { default_version: '2' })
    const refused = {
      status: 409,
      code: 'held_at_gate',
      message: expect.stringContaining(`/skills/${held.id}/evaluate`),
    }
    expect(await failureOf(asked())).toMatchObject(refused)
    expect(await openai.skills.update(made.id, { default_version: '1' })).toMatchObject({
      default_version: '1',
      latest_version: '2',
    })
    const { json } = await service.call('POST', '/v1/skills/lookup', { body: { name: 'gated' } })
    expect(json).toMatchObject({ number: 1, is_latest: true })
    // Also where no other version is left.
    await openai.skills.versions.delete('1', { skill_id: made.id })
    expect(await failureOf(asked())).toMatchObject(refused)
  })

  test('deletes with a skill the versions that are not finished, which would bring it back', async () => {
    const storedBytes = async () =>
      (await service.database.db.query<{ bytes: number }>('select bytes from storage'))[0]?.bytes
    const ask = { inputs: { note: 'stalled fruit' }, config: { prompt: 'Count the pears' }, model: 'svc-agent-1:fast' }
    const run = await service.execute({ ...ask, batch: false, metadata: { session_id: 'fruit' } })
    expect(run.status).toBe('completed')
    const before = await storedBytes()
    const { promise, resolve: goOn } = Promise.withResolvers()
    stall = promise
    try {
      const files = await zipOf(new Map([['SKILL.md', skillMd('stalled')]]))
      const made = await openai.skills.create({ files })
      const versions = await all(openai.skills.versions.list(made.id))
      const body = { session_id: 'fruit', name: 'stalled', description: 'Counts' }
      const { json: unfinished } = await service.call('POST', '/v1/skills/create', { body })
      expect(unfinished).toMatchObject({ name: 'stalled', status: 'pending' })
      await openai.skills.delete(made.id)
      for (const id of [unfinished.id, ...versions.map((one) => one.id)]) {
        expect((await service.call('GET', `/v1/skills/${id}`)).status).toBe(404)
        const { json: log } = await service.call('GET', `/v1/audit?subject_id=${id}&action=skill.delete`)
        expect(log).toMatchObject([{ detail: { name: 'stalled' } }])
      }
      expect((await service.call('POST', '/v1/skills/lookup', { body: { name: 'stalled' } })).status).toBe(404)
      expect(await storedBytes()).toBe(before)
    } finally {
      goOn(undefined)
    }
  })

  test('gives a bundle back byte by byte, with its modes', async () => {
    await fc.assert(
      fc.asyncProperty(bundles, async (bundle) => {
        const made = await openai.skills.create({ files: await zipOf(bundle.files, bundle.executables) })
        expect(await unpacked(await openai.skills.content.retrieve(made.id))).toEqual(bundle)
        const { latest_version: version } = made
        const content = await openai.skills.versions.content.retrieve(version, { skill_id: made.id })
        expect(await unpacked(content)).toEqual(bundle)
      }),
      { numRuns: runs, interruptAfterTimeLimit: 590_000 },
    )
  }, 600_000)

  test('shows and changes nothing of another workspace', async () => {
    const made = await openai.skills.create({ files: await zipOf(new Map([['SKILL.md', skillMd('secret')]])) })
    const key = await service.stranger()
    const [other, another] = [openaiOf(key), anthropicOf(key)]
    expect(await all(other.skills.list())).toEqual([])
    expect(await all(another.skills.list())).toEqual([])
    const [version] = await all(openai.skills.versions.list(made.id))
    const bundle = await zipOf(new Map([['SKILL.md', skillMd('secret')]]))
    for (const id of [made.id, 'secret', version?.id ?? ''])
      for (const attempt of [
        () => other.skills.retrieve(id),
        () => other.skills.delete(id),
        () => other.skills.content.retrieve(id),
        () => other.skills.versions.retrieve('1', { skill_id: id }),
        () => other.skills.versions.create(id, { files: bundle }),
        () => another.skills.versions.create(id, { files: [bundle] }),
        () => another.skills.retrieve(id),
        () => another.skills.delete(id),
      ])
        expect(await failureOf(attempt())).toMatchObject({ status: 404 })
    expect(await openai.skills.retrieve(made.id)).toMatchObject({ name: 'secret' })
  })
})
