import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { skillrun } from './command-line.ts'
import { findConnection, serverUrl } from './connection.ts'
import { readProfile, writeProfile } from './profile.ts'
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts'

let folder: string
let environment: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-connection-'))
  environment = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'settings'), SKILLRUN_DATA: join(folder, 'data') }
})

afterEach(() => rm(folder, { recursive: true, force: true }))

test('precedence: command line, environment, profile, local server', async () => {
  expect(await findConnection({}, environment)).toMatchObject({ url: 'http://127.0.0.1:8080', key: undefined })
  expect(await findConnection({}, { ...environment, PORT: '9000' })).toMatchObject({ url: 'http://127.0.0.1:9000' })
  await writeProfile({ url: 'http://profile.example', key: 'sk-profile' }, environment)
  expect(await findConnection({}, environment)).toMatchObject({
    url: 'http://profile.example',
    key: 'sk-profile',
    keyFrom: 'the profile',
  })
  const set = { ...environment, SKILLRUN_URL: 'http://set.example', SKILLRUN_API_KEY: 'sk-set' }
  expect(await findConnection({}, set)).toMatchObject({ url: 'http://set.example', key: 'sk-set' })
  const said = { url: 'http://said.example', key: 'sk-said' }
  expect(await findConnection(said, set)).toMatchObject(said)
})

test('a saved key is only sent to its own server', async () => {
  await writeProfile({ url: 'http://profile.example', key: 'sk-profile' }, environment)
  expect((await findConnection({ url: 'http://elsewhere.example' }, environment)).key).toBeUndefined()
  expect((await findConnection({ url: 'http://profile.example/v1' }, environment)).key).toBe('sk-profile')
})

test('an address may end in a slash or /v1, and invalid ones are refused', () => {
  expect(['http://a:1/', 'http://a:1/v1', 'http://a:1/v1/', 'http://a:1'].map((text) => serverUrl(text, 'x'))).toEqual(
    Array(4).fill('http://a:1'),
  )
  expect(serverUrl('https://a.example/skillrun/v1', 'x')).toBe('https://a.example/skillrun')
  for (const text of ['a:1', 'ftp://a', 'http://user:pass@a', 'http://a?b', ''])
    expect(() => serverUrl(text, 'x')).toThrow(/such as/)
})

test('an invalid profile is reported, not ignored', async () => {
  const path = await writeProfile({}, environment)
  await writeFile(path, 'url = x')
  await expect(readProfile(environment)).rejects.toThrow(path)
})

test('a key with characters that are invalid in headers is refused', async () => {
  await expect(findConnection({ key: 'sk ä' }, environment)).rejects.toThrow('The key from --key')
})

async function withServer(use: (server: ScriptedServer) => Promise<void>) {
  const server = await startScriptedServer()
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

test('login saves a working server and key, readable only by the owner, and later commands use them', () =>
  withServer(async (server) => {
    server.script('GET /v1/models', { status: 200, json: [{ model: 'svc-agent-1', domain: 'document' }] })
    const place = { folder, environment: { XDG_CONFIG_HOME: join(folder, 'settings') } }
    const login = await skillrun(['login', '--url', `${server.url}/v1/`], { ...place, stdin: `${server.key}\n` })
    expect(login).toMatchObject({ code: 0, stdout: '' })
    const path = join(folder, 'settings', 'skillrun', 'config.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ url: server.url, key: server.key })
    const models = await skillrun(['models'], place)
    expect(models).toEqual({ code: 0, stdout: 'MODEL        ENGINE\nsvc-agent-1  -\n', stderr: '' })
    expect(server.seen.at(-1)?.authorization).toBe(`Bearer ${server.key}`)
  }))

test('login with a refused key saves nothing', () =>
  withServer(async (server) => {
    const login = await skillrun(['login', '--url', server.url, '--key', 'sk-wrong'], { folder, environment })
    expect(login.code).toBe(4)
    expect(await readProfile(environment)).toEqual({})
  }))

test('without a key, the message says where to get one', () =>
  withServer(async (server) => {
    const ended = await skillrun(['files', 'list', '--url', server.url], { folder, environment })
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain('no key was given: use --key, SKILLRUN_API_KEY or "skillrun login"')
  }))
