import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Place, skillrun } from '../packages/cli/src/command-line.ts'
import { canonicalSha256 } from '../packages/core/src/canonical-json.ts'
import { envelopeText, signEnvelope, webKeyOf } from '../packages/core/src/dsse.ts'
import { newKeyText } from '../packages/core/src/secret-keys.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const folder = await temporaryFolder('capsules', afterAll)
let place: Place
/** A machine that reaches no server. */
let offline: Place
let execution: Answer['json']

const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] }
const keysPath = '/.well-known/skillrun-keys.json'

async function execute(at: TestService, more: object = {}): Promise<Answer['json']> {
  const { id } = await at.upload(Buffer.from('Harbour Supplies\nTotal: 101.25'), 'note.txt')
  const { status, json } = await at.call('POST', '/v1/agent/execute', {
    body: {
      batch: false,
      inputs: { note: { type: 'input_file', file_id: id } },
      config: { json_schema: schema },
      ...more,
    },
  })
  expect([status, json.status], JSON.stringify(json)).toEqual([201, 'completed'])
  return json
}
const capsuleOf = (at: TestService, id: string) => at.call('GET', `/v1/agent/executions/${id}/capsule`)
const statementIn = (capsule: { payload: string }) => JSON.parse(Buffer.from(capsule.payload, 'base64').toString())
const write = (name: string, text: string | Buffer) => writeFile(join(folder, name), text)
const keysOf = async (at: TestService) => (await fetch(at.url + keysPath)).json()

const service = await opened(openTestService())
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  offline = { folder, environment: { SKILLRUN_URL: 'http://127.0.0.1:9', SKILLRUN_API_KEY: 'none' } }
  execution = await execute(service)
})

test('a capsule states the hashes of what the API shows of an execution', async () => {
  const { id } = execution
  await service.call('POST', '/v1/feedback/submit', { body: { agent_execution_id: id, notes: 'Right' } })
  const { status, json, headers } = await capsuleOf(service, id)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(headers.get('content-type')).toBe('application/vnd.dsse+json')
  expect(json.payloadType).toBe('application/vnd.in-toto+json')
  const statement = statementIn(json)
  const sha256 = createHash('sha256').update('Harbour Supplies\nTotal: 101.25').digest('hex')
  const { json: steps } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: `executions/${id}/response`, digest: { sha256: await canonicalSha256(execution.response) } },
      { name: 'inputs/note', digest: { sha256 } },
    ],
    predicateType: 'urn:skillrun:execution:v1',
    predicate: {
      execution: { id, status: 'completed', answered_by: 'embedded' },
      inputs: [{ name: 'note', sha256, bytes: 30 }],
      transcript: { steps: steps.length, sha256: await canonicalSha256(steps) },
      evidence: { sha256: await canonicalSha256(execution.evidence) },
      usage: { sha256: await canonicalSha256(execution.usage) },
      review: { version: 0 },
      feedback: { count: 1 },
    },
  })
  // No content of the document or the answer.
  expect(JSON.stringify(statement)).not.toMatch(/101\.25|Harbour/)
})

test('skillrun verify checks a capsule offline, with a record beside it, and refuses what was changed', async () => {
  const got = await skillrun(['executions', 'capsule', execution.id, '-o', 'a.json'], place)
  expect(got, got.stderr).toMatchObject({ code: 0 })
  await write('keys.json', JSON.stringify(await keysOf(service)))
  await write('record.json', JSON.stringify(execution))
  const verify = (file: string, ...more: string[]) =>
    skillrun(['verify', file, '--keys', 'keys.json', ...more], offline)

  const valid = await verify('a.json', '--record', 'record.json')
  expect(valid, valid.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(execution.id) })
  expect(valid.stdout).toContain('equal to what was signed')
  // Against the server, without a file of keys; and what was printed instead of written.
  const printed = await skillrun(['executions', 'capsule', execution.id], place)
  await write('printed.json', printed.stdout)
  expect(await skillrun(['verify', 'printed.json', '--json'], place)).toMatchObject({ code: 0 })
  expect(await skillrun(['verify', 'printed.json', '--key', 'keys.json'], offline)).toMatchObject({ code: 0 })
  expect(await skillrun(['verify', 'printed.json', '--keys', service.url + keysPath], offline)).toMatchObject({
    code: 0,
  })

  await write('other.json', JSON.stringify({ ...execution, response: { total: 1 } }))
  expect(await verify('a.json', '--record', 'other.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differs from the capsule in its response'),
  })
  const changed = {
    ...{ status: 'failed', model: 'svc-agent-2:pro', completed_at: execution.created_at, execution_mode: 'program' },
    ...{ skills: [{ id: null, name: 'x', skill_version: '1', bundle_sha256: '00' }], warnings: [{ code: 'x' }] },
    review: { ...execution.review, status: 'done' },
    ...{ reviewed_response: { total: 2 }, attempts: 2, approved_by: 'nobody' },
  }
  for (const [name, value] of Object.entries(changed)) {
    await write('other.json', JSON.stringify({ ...execution, [name]: value }))
    expect(await verify('a.json', '--record', 'other.json'), name).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`differs from the capsule in its ${name}$`, 'm')),
    })
  }
  const text = await readFile(join(folder, 'a.json'), 'utf8')
  const forged = JSON.parse(text)
  const statement = statementIn(forged)
  statement.predicate.execution.status = 'failed'
  await write(
    'forged.json',
    JSON.stringify({ ...forged, payload: Buffer.from(JSON.stringify(statement)).toString('base64') }),
  )
  expect(await verify('forged.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('signature does not match'),
  })
  await write('spaced.json', JSON.stringify(forged, null, 2))
  expect(await verify('spaced.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('bytes were changed') })
  await write('none.json', '{"keys": [1]}')
  expect(await skillrun(['verify', 'a.json', '--keys', 'none.json'], offline)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must be a list of keys'),
  })
})

test('a record is compared with all that a capsule of an earlier version holds of it', async () => {
  const { predicate, ...statement } = statementIn((await capsuleOf(service, execution.id)).json)
  const { record: _, ...earlier } = predicate
  const payload = Buffer.from(JSON.stringify({ ...statement, predicate: earlier }))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = webKeyOf(publicKey.export({ format: 'der', type: 'spki' }))
  const envelope = signEnvelope('application/vnd.in-toto+json', payload, { id: key.kid, privateKey })
  await write('earlier.json', envelopeText(envelope))
  const times = { valid_from: new Date(0).toISOString(), valid_until: null, revoked_at: null }
  await write('earlier-keys.json', JSON.stringify({ keys: [{ ...key, ...times }] }))
  const verify = async (changed: object) => {
    await write('compared.json', JSON.stringify({ ...execution, ...changed }))
    return skillrun(['verify', 'earlier.json', '--keys', 'earlier-keys.json', '--record', 'compared.json'], offline)
  }
  expect(await verify({})).toMatchObject({ code: 0 })
  expect(await verify({ model: 'svc-agent-2:pro', usage: {} })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differs from the capsule in its usage, model'),
  })
})

test('--key of skillrun verify is the API key, unless it names keys of a server', async () => {
  await write('ours.json', JSON.stringify((await capsuleOf(service, execution.id)).json))
  await write('published', JSON.stringify(await keysOf(service)))
  const options = ['--url', service.url, '--key', service.key]
  const nowhere = { folder, environment: {} }
  expect(await skillrun([...options, 'verify', 'ours.json'], nowhere)).toMatchObject({ code: 0 })
  expect(await skillrun(['verify', 'ours.json', ...options], nowhere)).toMatchObject({ code: 0 })
  expect(await skillrun(['verify', 'ours.json', '--key', 'published'], offline)).toMatchObject({ code: 0 })
  const failed = await skillrun(['verify', 'ours.json', '--key', service.key], offline)
  expect(failed.code).not.toBe(0)
  expect(failed.stderr + failed.stdout).not.toContain(service.key)
})

test('a capsule of another server is refused, and so is one whose key was revoked; one of a retired key is not', async () => {
  await using other = await openTestService()
  const foreign = await execute(other)
  await write('foreign.json', JSON.stringify((await capsuleOf(other, foreign.id)).json))
  await write('ours.json', JSON.stringify((await capsuleOf(service, execution.id)).json))
  const verify = (file: string, at = service) => skillrun(['verify', file, '--keys', at.url + keysPath], offline)
  expect(await verify('foreign.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('another server') })
  expect(await verify('foreign.json', other)).toMatchObject({ code: 0 })

  const rotate = (at: TestService, revoke: boolean) => at.call('POST', '/v1/capsule-keys/rotate', { body: { revoke } })
  const { status, json } = await rotate(service, false)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(json.keys).toMatchObject([
    { valid_until: null, revoked_at: null },
    { valid_until: expect.any(String), revoked_at: null },
  ])
  expect(await verify('ours.json')).toMatchObject({ code: 0 })
  await write('later.json', JSON.stringify((await capsuleOf(service, execution.id)).json))
  expect(await verify('later.json')).toMatchObject({ code: 0 })
  await rotate(service, true)
  expect(await verify('later.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked at') })
  expect(await verify('ours.json')).toMatchObject({ code: 0 })
  const listed = await skillrun(['capsule-keys'], place)
  expect(listed.stdout.match(/signs|retired|revoked/g)).toEqual(['signs', 'revoked', 'retired'])
  const unsaid = await skillrun(['capsule-keys', '--revoke'], place)
  expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining('--rotate') })
  const { json: log } = await service.call('GET', '/v1/audit?action=capsule_key.rotate')
  expect(log.items?.length ?? log.length).toBe(2)
})

test('there is no capsule of what has not ended, was not retained, left no hashes, or belongs to another workspace', async () => {
  const unretained = await execute(service, { metadata: { allow_retention: false } })
  expect(await capsuleOf(service, unretained.id)).toMatchObject({
    status: 409,
    json: { detail: expect.stringContaining('not retained') },
  })

  const old = await execute(service)
  const { db } = service.database
  await db.query(`update steps set detail = (detail::jsonb - 'sha256')::json where execution_id = $1`, [old.id])
  const { status, json } = await capsuleOf(service, old.id)
  expect(status).toBe(409)
  expect(json.detail).toContain('no SHA-256 of the input note')

  await db.query(`update executions set status = 'paused', completed_at = null where id = $1`, [old.id])
  expect(await capsuleOf(service, old.id)).toMatchObject({
    status: 409,
    json: { detail: expect.stringContaining('is paused') },
  })

  const { json: made } = await service.call('POST', '/v1/keys', { body: { workspace: 'elsewhere' } })
  const elsewhere = { authorization: `Bearer ${made.key}` }
  const reply = await fetch(`${service.url}/v1/agent/executions/${execution.id}/capsule`, { headers: elsewhere })
  expect(reply.status).toBe(404)
  const refused = await fetch(`${service.url}/v1/capsule-keys/rotate`, { method: 'POST', headers: elsewhere })
  expect(refused.status).toBe(403)
})

test('two servers on one database sign with one key, which is stored encrypted and survives a new secret key', async () => {
  await using database = await makeDatabase()
  const [one, two] = [newKeyText(), newKeyText()]
  const open = (SKILLRUN_SECRET_KEY: string) => openTestService({ database, env: { SKILLRUN_SECRET_KEY } })
  const keyId = (answer: Answer) => answer.json.signatures[0].keyid
  let id = ''
  let signedBy = ''
  {
    await using first = await open(one)
    await using second = await open(one)
    id = (await execute(first)).id
    const answers = await Promise.all([first, second, first, second].map((at) => capsuleOf(at, id)))
    signedBy = keyId(answers[0] as Answer)
    expect(answers.map(keyId)).toEqual([signedBy, signedBy, signedBy, signedBy])
  }
  const [row] = await database.db.query<{ sealed: Buffer }>('select sealed from capsule_keys')
  // The private key of an Ed25519 pair in PKCS #8 begins so.
  expect(row?.sealed.toString('hex')).not.toContain('302e020100300506032b6570')
  {
    await using _both = await open(`${two},${one}`)
  }
  await using later = await open(two)
  expect(keyId(await capsuleOf(later, id))).toBe(signedBy)
})
