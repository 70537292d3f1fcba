import { beforeAll, describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { filesOfZip, zipOf } from './support/zips.ts'

let stranger: string
const service = await opened(openTestService())
beforeAll(async () => {
  stranger = await service.stranger()
})

const skillMd = (name: string, body = 'Read the total.') =>
  `---\nname: ${name}\ndescription: Reads receipts.\n---\n\n${body}\n`
const totalSchema = { type: 'object', properties: { total: { type: 'number' } } }

type Options = { key?: string }
const create = (body: object, options: Options = {}) => service.call('POST', '/v1/skills/create', { body, ...options })
const get = (id: string, options: Options = {}) => service.call('GET', `/v1/skills/${id}`, options)
const lookup = (body: object, options: Options = {}) => service.call('POST', '/v1/skills/lookup', { body, ...options })
const update = (id: string, body: object, options: Options = {}) =>
  service.call('POST', `/v1/skills/${id}/update`, { body, ...options })
const idsOf = ({ json }: { json: { id: string }[] }) => json.map(({ id }) => id)

async function upload(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  return (await service.upload(zipOf(files), 'skill.zip')).id
}

async function downloaded(id: string, options: Options = {}): Promise<Map<string, Buffer>> {
  const { json } = await service.call('GET', `/v1/skills/${id}/download`, options)
  const zip = await fetch(json.download_url)
  expect(zip.status).toBe(200)
  return filesOfZip(Buffer.from(await zip.arrayBuffer()))
}

describe('a skill from a zip', () => {
  const files = {
    'SKILL.md': skillMd('receipts', 'See [more](references/more.md) and run scripts/total.ts'),
    'references/more.md': 'Más\r\n',
    'scripts/total.ts': 'export default () => 1',
    'assets/logo.bin': Buffer.from([0, 1, 2, 255]),
  }

  test('is downloaded byte for byte, without a key', async () => {
    const made = await create({ file_id: await upload(files), name: 'receipts', description: 'Reads receipts.' })
    expect(made.json).toMatchObject({ name: 'receipts', status: 'completed', number: 1, is_latest: true, review: [] })
    expect(made.status).toBe(201)
    expect(made.json.skill_version).toMatch(/^\d{8}-[0-9a-f]{8}$/)
    expect(made.json.skill_version.slice(9)).toBe(made.json.bundle_sha256.slice(0, 8))
    const download = await service.call('GET', `/v1/skills/${made.json.id}/download?expires=60`)
    expect(download.json).toMatchObject({ id: made.json.id, name: 'receipts', expires_in: 60 })
    const zip = await fetch(download.json.download_url)
    expect(zip.headers.get('content-type')).toBe('application/zip')
    const back = await filesOfZip(Buffer.from(await zip.arrayBuffer()))
    const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
    expect([...back]).toEqual(sorted.map(([path, bytes]) => [path, Buffer.from(bytes)]))
  })

  test('has the name in the request, with a warning when SKILL.md differs', async () => {
    const made = await create({ file_id: await upload(files), name: 'bills', description: 'Reads bills.' })
    expect(made.json).toMatchObject({ name: 'bills', description: 'Reads bills.' })
    expect(made.json.review).toMatchObject([{ kind: 'front_matter', path: 'SKILL.md' }])
    expect((await downloaded(made.json.id)).get('SKILL.md')?.toString()).toBe(files['SKILL.md'])
    const next = await update(made.json.id, { file_id: await upload(files), description: 'Reads\u200b bills.' })
    expect(next.json.review).toMatchObject([{ kind: 'hidden_unicode' }, { kind: 'front_matter' }])
  })

  test('shows what a person should review', async () => {
    const made = await create({
      file_id: await upload({ 'SKILL.md': skillMd('odd', 'Hello\u200b'), 'scripts/x.py': 'import requests' }),
      name: 'odd',
      description: 'Reads receipts.',
    })
    const { json } = await get(made.json.id)
    const kinds = json.review.map(({ kind }: { kind: string }) => kind)
    expect(kinds.toSorted()).toEqual(['hidden_unicode', 'network', 'undeclared_script'])
    expect(json.review[0]).toMatchObject({ kind: 'hidden_unicode', path: 'SKILL.md', line: 6 })
  })

  test('keeps its bytes when its source file, or another version with the same bytes, is deleted', async () => {
    const file = await upload({ 'SKILL.md': skillMd('kept') })
    const body = { file_id: file, name: 'kept', description: 'Reads receipts.' }
    const [one, two] = [await create(body), await create(body)]
    await service.call('DELETE', `/v1/files/${file}`)
    await service.call('DELETE', `/v1/skills/${one.json.id}`)
    expect([...(await downloaded(two.json.id)).keys()]).toEqual(['SKILL.md'])
  })
})

describe('a skill from a prompt', () => {
  test('has the prompt as instructions and the schema as schema.json', async () => {
    const prompt = 'Read the receipt.\n\n- the total\n- the tax'
    const made = await create({ prompt, json_schema: totalSchema, name: 'totals', description: 'Totals: all of them' })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ json_schema: totalSchema, status: 'completed' })
    const files = await downloaded(made.json.id)
    expect(files.get('SKILL.md')?.toString()).toBe(
      `---\nname: totals\ndescription: "Totals: all of them"\n---\n\n${prompt}\n`,
    )
    expect(JSON.parse(String(files.get('schema.json')))).toEqual(totalSchema)
  })

  test('is named and described from the prompt unless the request does so, and the same prompt creates its next version', async () => {
    const one = await create({ prompt: 'Extract the invoice number. Nothing else.' })
    expect(one.json).toMatchObject({
      name: 'extract-invoice-number',
      description: 'Extract the invoice number.',
      number: 1,
    })
    expect((await create({ prompt: 'Extract the invoice number. Nothing else.' })).json).toMatchObject({
      name: 'extract-invoice-number',
      number: 2,
    })
    const other = await create({ prompt: 'Extract the invoice number. And the date.' })
    expect(other.json.name).toMatch(/^extract-invoice-number-[0-9a-f]{6}$/)
  })
})

describe('the three ways', () => {
  test('a zip without a name and a description is refused for both', async () => {
    const { detail } = (await create({ file_id: 'a' })).json
    expect(detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['body', 'name'],
      ['body', 'description'],
    ])
  })

  test.each<[object, unknown[], RegExp]>([
    [{}, ['body'], /none of them/],
    [{ prompt: 'a', file_id: 'b' }, ['body', 'prompt'], /file_id and prompt/],
    [{ prompt: 'a', session_id: 'b' }, ['body', 'session_id'], /prompt and session_id/],
    [{ file_id: 'a', prompt: 'b', session_id: 'c' }, ['body', 'prompt'], /file_id and prompt and session_id/],
    [{ file_id: 'a', json_schema: {} }, ['body', 'json_schema'], /only allowed with prompt/],
    [{ session_id: 'a', json_schema: {} }, ['body', 'json_schema'], /only allowed with prompt/],
    [{ file_id: 'a', description: 'b' }, ['body', 'name'], /Field required/],
    [{ file_id: 'a', name: 'b' }, ['body', 'description'], /Field required/],
    [{ prompt: '' }, ['body', 'prompt'], /at least 1/],
    [{ prompt: 'a', name: 'x'.repeat(256) }, ['body', 'name'], /at most 255/],
    [{ prompt: 'a', name: ' ' }, ['body', 'name'], /at least 1/],
    [{ prompt: 'a', is_public: 'yes' }, ['body', 'is_public'], /boolean/],
    [{ prompt: 'a', json_schema: { type: 'object' } }, ['body', 'json_schema'], /names no field/],
    [{ prompt: 'a', json_schema: { $ref: 'https://x' } }, ['body', 'json_schema'], /point into the schema/],
  ])('%j is 422', async (body, loc, msg) => {
    const refused = await create(body)
    expect(refused).toMatchObject({ status: 422, json: { detail: [{ loc, msg: expect.stringMatching(msg) }] } })
  })

  test('a name may have 255 characters, and null means absent', async () => {
    const name = '名'.repeat(255)
    const nothing = { file_id: null, session_id: null, description: null, json_schema: null, is_public: null }
    expect((await create({ prompt: 'a', name, ...nothing })).json).toMatchObject({ name, is_public: false })
    expect((await lookup({ name })).json.name).toBe(name)
  })

  test('a file that does not exist, or belongs to another workspace, is unknown', async () => {
    const body = { file_id: await upload({ 'SKILL.md': skillMd('a') }), name: 'a', description: 'b' }
    expect((await create(body, { key: stranger })).status).toBe(404)
    expect((await create({ ...body, file_id: 'nope' })).status).toBe(404)
  })

  test('need the scope skills:write', async () => {
    const { json } = await service.call('POST', '/v1/keys', { body: { scopes: ['read', 'execute', 'files:write'] } })
    const { id } = (await create({ prompt: 'scoped' })).json
    expect((await create({ prompt: 'a' }, { key: json.key })).status).toBe(403)
    expect((await update(id, { prompt: 'a' }, { key: json.key })).status).toBe(403)
    expect((await service.call('DELETE', `/v1/skills/${id}`, { key: json.key })).status).toBe(403)
    expect((await get(id, { key: json.key })).status).toBe(200)
    expect((await service.call('GET', '/v1/skills', { key: 'nobody' })).status).toBe(401)
  })
})

describe('versions', () => {
  test('count 1, 2, 3 per name and are found by number, digits, version string, latest, and within the name', async () => {
    const made = [
      await create({ prompt: 'First', name: 'counted' }),
      await create({ prompt: 'Second', name: 'counted' }),
      await create({ prompt: 'Third', name: 'counted' }),
    ].map(({ json }) => json)
    expect(made.map((one) => one.number)).toEqual([1, 2, 3])
    const [first, second, third] = made.map((one) => one.id)
    const found = async (body: object) => (await lookup(body)).json.id
    expect(await found({ name: 'counted' })).toBe(third)
    expect(await found({ name: 'counted', skill_version: 'latest' })).toBe(third)
    expect(await found({ name: 'counted', skill_version: 1 })).toBe(first)
    expect(await found({ name: 'counted', skill_version: '2' })).toBe(second)
    expect(await found({ name: 'counted', version: 2 })).toBe(second)
    expect(await found({ name: 'counted', skill_version: made[0].skill_version })).toBe(first)
    expect(await found({ name: 'counted:2' })).toBe(second)
    expect(await found({ name: `counted:${made[0].skill_version}` })).toBe(first)
    expect(await found({ name: 'counted:latest', skill_version: 'latest' })).toBe(third)
    expect(await found({ id: second })).toBe(second)
    expect(await found({ id: second.toUpperCase() })).toBe(second)
    for (const skill_version of [4, '99', 'nope', '20200101-00000000'])
      expect((await lookup({ name: 'counted', skill_version })).status).toBe(404)
    const versions = await service.call('GET', `/v1/skills/${first}/versions`)
    expect(idsOf(versions)).toEqual([third, second, first])
    expect(versions.json.map((one: { is_latest: boolean }) => one.is_latest)).toEqual([true, false, false])
  })

  test('a name in the place of an id is refused with the route that finds its id', async () => {
    const { status, json } = await get('counted')
    expect(status).toBe(404)
    expect(json.detail).toMatch(/POST \/v1\/skills\/lookup finds the id/)
  })

  test('created concurrently are all complete, each with its own number, and one is the latest', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create({ prompt: `At once ${n}`, name: 'racing' })),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(made.map(({ json }) => json.number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const latest = (await lookup({ name: 'racing' })).json
    expect(latest.number).toBe(8)
    const all = (await service.call('GET', `/v1/skills/${latest.id}/versions`)).json
    expect(all.filter((one: { is_latest: boolean }) => one.is_latest)).toHaveLength(1)
    for (const { json } of made) {
      const text = (await downloaded(json.id)).get('SKILL.md')?.toString()
      expect(text).toContain(`At once ${made.findIndex((one) => one.json.id === json.id)}\n`)
    }
  })

  test('have names of up to 255 letters of any script', async () => {
    const name = '😀'.repeat(255)
    expect(await create({ prompt: 'a', name })).toMatchObject({ status: 201, json: { name } })
    expect((await create({ prompt: 'a', name: `${name}😀` })).json.detail[0].loc).toEqual(['body', 'name'])
    const { description } = (await create({ prompt: `x${'😀'.repeat(400)}` })).json
    expect(description).toMatch(/^x(😀)+…$/u)
  })

  test('have no name with a colon, stored or inline, which would look like a version', async () => {
    const refused = await create({ prompt: 'Colon', name: 'a:b' })
    expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ['body', 'name']])
    const made = (await create({ prompt: 'Inline', name: 'inline-source' })).json
    const { download_url } = (await service.call('GET', `/v1/skills/${made.id}/download`)).json
    const data = Buffer.from(await (await fetch(download_url)).arrayBuffer()).toString('base64')
    const inline = { type: 'inline', name: 'c:d', source: { type: 'base64', media_type: 'application/zip', data } }
    const body = { inputs: { a: 'x' }, config: { skills: [inline] } }
    const { status, json } = await service.call('POST', '/v1/agent/execute', { body })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'config', 'skills', 0, 'name']])
  })

  test('are found as latest in upper or lower case', async () => {
    const { id } = (await create({ prompt: 'Any case', name: 'any-case' })).json
    for (const skill_version of ['latest', 'LATEST', 'Latest'])
      expect((await lookup({ name: 'any-case', skill_version })).json.id).toBe(id)
    expect((await lookup({ name: 'any-case:LATEST' })).json.id).toBe(id)
  })

  test('with identical content are separate versions; their common version string means the newest', async () => {
    const body = { prompt: 'The same twice', name: 'twice', description: 'Twice' }
    const [one, two] = [(await create(body)).json, (await create(body)).json]
    expect(two).toMatchObject({ skill_version: one.skill_version, number: one.number + 1 })
    expect(two.bundle_sha256).toBe(one.bundle_sha256)
    expect((await lookup({ name: `twice:${one.skill_version}` })).json.id).toBe(two.id)
    expect((await lookup({ name: 'twice', skill_version: one.number })).json.id).toBe(one.id)
  })

  test('are found by the name that was sent, with the white space that was trimmed', async () => {
    const made = await create({ prompt: 'Padded', name: ' padded ' })
    expect(made.json.name).toBe('padded')
    expect((await lookup({ name: ' padded ' })).json.id).toBe(made.json.id)
    const body = { inputs: { a: 'x' }, config: { skills: [{ skill_id: ' padded ' }] } }
    expect((await service.call('POST', '/v1/agent/execute', { body })).json.skills).toMatchObject([{ name: 'padded' }])
  })

  test('that are deleted fall back to the previous one, and their number is not reused', async () => {
    const one = (await create({ prompt: 'One', name: 'deleted' })).json
    const two = (await create({ prompt: 'Two', name: 'deleted' })).json
    expect((await service.call('DELETE', `/v1/skills/${two.id}`)).json).toMatchObject({ id: two.id })
    expect((await get(two.id)).status).toBe(404)
    expect((await service.call('DELETE', `/v1/skills/${two.id}`)).status).toBe(404)
    expect((await lookup({ name: 'deleted' })).json).toMatchObject({ id: one.id, is_latest: true })
    expect((await create({ prompt: 'Three', name: 'deleted' })).json.number).toBe(3)
    expect((await lookup({ name: 'deleted', skill_version: 2 })).status).toBe(404)
  })

  test.each([
    [{}, ['body', 'id']],
    [{ id: 'a', name: 'b' }, ['body', 'name']],
    [{ name: 'a', skill_version: 0 }, ['body', 'skill_version']],
    [{ name: 'a', skill_version: 1.5 }, ['body', 'skill_version']],
    [{ name: 7 }, ['body', 'name']],
  ])('%j cannot be looked up', async (body, loc) => {
    expect(await lookup(body)).toMatchObject({ status: 422, json: { detail: [{ loc }] } })
  })
})

describe('an update', () => {
  test('creates a new version with its changes, the rest byte for byte as before', async () => {
    const files = {
      'SKILL.md': '\ufeff---\n# a comment\nname: updated\ndescription: Old.\nlicense: MIT\n---\n\n# Old body  \r\n\r\n',
      'references/a.md': 'kept\r\n',
    }
    const first = (await create({ file_id: await upload(files), name: 'updated', description: 'Old.' })).json
    const second = await update(first.id, { description: 'New: better.' })
    expect(second).toMatchObject({ status: 200, json: { name: 'updated', number: 2, description: 'New: better.' } })
    expect(second.json.id).not.toBe(first.id)
    const after = await downloaded(second.json.id)
    expect(after.get('SKILL.md')?.toString()).toBe(
      '\ufeff---\n# a comment\nname: updated\ndescription: "New: better."\nlicense: MIT\n---\n\n# Old body  \r\n\r\n',
    )
    expect(after.get('references/a.md')?.toString()).toBe('kept\r\n')
    const third = (await update(second.json.id, { prompt: 'New body', json_schema: totalSchema })).json
    expect(third).toMatchObject({ number: 3, description: 'New: better.', json_schema: totalSchema })
    expect((await downloaded(third.id)).get('SKILL.md')?.toString()).toMatch(/license: MIT\n---\n\nNew body\n$/)
    const fourth = (await update(third.id, { is_public: true })).json
    expect(fourth).toMatchObject({ number: 4, is_public: true, bundle_sha256: third.bundle_sha256 })
    const fifth = (await update(fourth.id, { file_id: await upload(files) })).json
    expect(fifth).toMatchObject({ number: 5, is_public: true, description: 'Old.', json_schema: null })
    expect(fifth.bundle_sha256).toBe(first.bundle_sha256)
    expect((await get(first.id)).json).toMatchObject({ number: 1, description: 'Old.', is_latest: false })
  })

  test.each([
    [{}, ['body']],
    [{ file_id: 'a', prompt: 'b' }, ['body', 'prompt']],
    [{ file_id: 'a', json_schema: totalSchema }, ['body', 'json_schema']],
    [{ json_schema: { type: 'object' } }, ['body', 'json_schema']],
  ])('%j is 422', async (body, loc) => {
    const { id } = (await create({ prompt: 'Stays' })).json
    expect(await update(id, body)).toMatchObject({ status: 422, json: { detail: [{ loc }] } })
  })
})

test('creation, changes and deletion of a skill are in the audit log', async () => {
  const one = (await create({ prompt: 'Audited', name: 'audited' })).json
  const two = (await update(one.id, { prompt: 'Audited again' })).json
  await service.call('DELETE', `/v1/skills/${one.id}`)
  const log = async (id: string) => (await service.call('GET', `/v1/audit?subject_id=${id}`)).json
  expect(await log(one.id)).toMatchObject([
    { action: 'skill.delete', detail: { name: 'audited' } },
    { action: 'skill.create', detail: { name: 'audited', bundle_sha256: one.bundle_sha256 } },
  ])
  expect(await log(two.id)).toMatchObject([{ action: 'skill.update' }])
})

describe('a skill of another workspace', () => {
  test('is unknown by id and by name, through every route, like one that does not exist', async () => {
    const mine = (await create({ prompt: 'Mine alone', name: 'mine-alone' })).json
    const body = { inputs: { text: 'x' }, config: { json_schema: totalSchema, skills: [{ skill_id: 'mine-alone' }] } }
    const answers = async (id: string, name: string) =>
      Promise.all([
        get(id, { key: stranger }),
        lookup({ id }, { key: stranger }),
        lookup({ name }, { key: stranger }),
        update(id, { prompt: 'x' }, { key: stranger }),
        service.call('GET', `/v1/skills/${id}/download`, { key: stranger }),
        service.call('GET', `/v1/skills/${id}/versions`, { key: stranger }),
        service.call('DELETE', `/v1/skills/${id}`, { key: stranger }),
      ])
    const theirs = (await answers(mine.id, 'mine-alone')).map(({ status, json }) => ({ status, json }))
    const nowhere = (await answers('no-id', 'nowhere')).map(({ status, json }) => ({ status, json }))
    expect(theirs).toEqual(nowhere)
    expect(theirs.map(({ status }) => status)).toEqual(Array(7).fill(404))
    const run = await service.call('POST', '/v1/agent/execute', { body, key: stranger })
    expect(run).toMatchObject({ status: 422, json: { detail: [{ type: 'unknown_skill' }] } })
    expect((await get(mine.id)).status).toBe(200)
  })

  test('that is public shows only the public fields, can be downloaded, and cannot be changed', async () => {
    const shown = (await create({ prompt: 'For all', name: 'for-all', is_public: true })).json
    const seen = await get(shown.id, { key: stranger })
    const fields = ['id', 'name', 'description', 'skill_version', 'skill_uri', 'is_public', 'created_at', 'updated_at']
    expect(Object.keys(seen.json)).toEqual(fields)
    expect((await lookup({ name: 'for-all' }, { key: stranger })).json).toEqual(seen.json)
    expect((await lookup({ name: 'for-all:1' }, { key: stranger })).json).toEqual(seen.json)
    const listed = (await service.call('GET', '/v1/skills?limit=1000', { key: stranger })).json
    expect(listed.find((one: { id: string }) => one.id === shown.id)).toEqual(seen.json)
    expect([...(await downloaded(shown.id, { key: stranger })).keys()]).toEqual(['SKILL.md'])
    expect((await update(shown.id, { prompt: 'x' }, { key: stranger })).status).toBe(404)
    expect((await service.call('DELETE', `/v1/skills/${shown.id}`, { key: stranger })).status).toBe(404)
    const hidden = (await update(shown.id, { is_public: false })).json
    expect((await get(hidden.id, { key: stranger })).status).toBe(404)
    expect(idsOf(await service.call('GET', `/v1/skills/${shown.id}/versions`, { key: stranger }))).toEqual([shown.id])
  })

  test("is used after one's own of the same name, and two public ones are ambiguous", async () => {
    const theirs = (await create({ prompt: 'Theirs', name: 'shared', is_public: true }, { key: stranger })).json
    expect((await lookup({ name: 'shared' })).json.id).toBe(theirs.id)
    const mine = (await create({ prompt: 'Mine', name: 'shared', is_public: true })).json
    expect((await lookup({ name: 'shared' })).json.id).toBe(mine.id)
    const third = (await service.call('POST', '/v1/keys', { body: { workspace: 'thirds' } })).json.key
    expect(await lookup({ name: 'shared' }, { key: third })).toMatchObject({ status: 409 })
    expect((await lookup({ id: mine.id }, { key: third })).json.id).toBe(mine.id)
  })

  test("never takes the place of one's own version or id by its name", async () => {
    const first = (await create({ prompt: 'Mine', name: 'pinned' })).json
    const second = (await create({ prompt: 'Mine, better', name: 'pinned' })).json
    const gone = (await create({ prompt: 'Mine, gone', name: 'pinned-gone' })).json
    await service.call('DELETE', `/v1/skills/${gone.id}`)
    const theirs = { prompt: 'Theirs', is_public: true }
    for (const name of ['pinned:2', 'pinned:3'])
      expect((await create({ ...theirs, name }, { key: stranger })).status).toBe(422)
    expect((await create({ ...theirs, name: gone.id }, { key: stranger })).status).toBe(201)
    for (const prompt of ['One', 'Two', 'Three'])
      await create({ prompt, name: 'pinned', is_public: true }, { key: stranger })
    expect((await lookup({ name: 'pinned:2' })).json.id).toBe(second.id)
    expect((await lookup({ name: 'pinned:1' })).json.id).toBe(first.id)
    expect((await lookup({ name: 'pinned:3' })).status).toBe(404)
    expect((await lookup({ name: 'pinned', skill_version: 3 })).status).toBe(404)
    expect((await lookup({ name: gone.id })).status).toBe(404)
    const run = (skill_id: string) =>
      service.call('POST', '/v1/agent/execute', { body: { inputs: { a: 'x' }, config: { skills: [{ skill_id }] } } })
    expect((await run('pinned:2')).json.skills).toMatchObject([{ id: second.id }])
    for (const named of ['pinned:3', gone.id])
      expect(await run(named)).toMatchObject({ status: 422, json: { detail: [{ type: 'unknown_skill' }] } })
  })

  test('cannot be read with a signature for another skill, another use, or after its expiry', async () => {
    const [one, two] = [(await create({ prompt: 'Signed one' })).json, (await create({ prompt: 'Signed two' })).json]
    const { download_url } = (await service.call('GET', `/v1/skills/${one.id}/download`)).json
    const file = await service.upload(Buffer.from('x'), 'x.txt')
    const status = async (url: string) => (await fetch(url)).status
    expect(await status(download_url)).toBe(200)
    expect(await status(download_url.replace(one.id, two.id))).toBe(404)
    expect(await status(download_url.replace(/expires=\d+/, 'expires=9999999999'))).toBe(404)
    expect(await status(download_url.replace(/&signature=.*/, ''))).toBe(404)
    expect(await status(file.public_url.replace(/files\/[^?]+/, `skills/${one.id}`))).toBe(404)
    for (const expires of ['0', '604801', '-1', 'x'])
      expect((await service.call('GET', `/v1/skills/${one.id}/download?expires=${expires}`)).status).toBe(422)
    await service.call('DELETE', `/v1/skills/${one.id}`)
    expect(await status(download_url)).toBe(404)
  })
})
