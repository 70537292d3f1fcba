import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startFauxqs } from 'fauxqs'
import { afterAll, expect, test } from 'vitest'
import { makeEmptyDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { openIdentityProvider } from './support/identity-provider.ts'
import { startMockModel } from './support/mock-model.ts'
import { startServer, type TestServer } from './support/server.ts'
import { openTestService, testSecretKey } from './support/service.ts'
import { play, stagedBlock } from './support/staged.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { zipOf } from './support/zips.ts'

/** Runs the blocks of guides that name other places, with stand-ins: a folder, a database, a store of files, a provider of this machine. */

const root = join(import.meta.dirname, '..')
const key = 'the-key-of-the-stage'
const internal = 'postgres://skillrun:secret@db.internal:5432/skillrun'
const folder = await temporaryFolder('staged', afterAll)

/** A folder of its own for a scene. */
async function place(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o711 })
  return path
}

/** Once a server has printed where it is. */
async function calledAt(server: TestServer) {
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return {
    url,
    async records(): Promise<readonly string[]> {
      const reply = await fetch(`${url}/v1/agent/executions`, { headers })
      return ((await reply.json()) as readonly { id: string }[]).map(({ id }) => id)
    },
    async execute(): Promise<void> {
      const body = JSON.stringify({ batch: false, inputs: { text: 'Total: 1.50' }, config: { prompt: 'the total' } })
      const reply = await fetch(`${url}/v1/agent/execute`, { method: 'POST', headers, body })
      expect(reply.status).toBe(201)
    },
  }
}

test('an installation is backed up, restored, given other keys, and moved to a database of its own as the guides say', async () => {
  const here = await place('moved')
  const [data, other, backups] = ['data', 'data-2', 'backups'].map((name) => join(here, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(data, { mode: 0o711 })
  const stage = { folder: here, env: { SKILLRUN_DATA: data, SKILLRUN_API_KEY: key } }
  const places = { '/backups/skillrun': backups, '/var/lib/skillrun': data }
  let records: readonly string[]
  {
    await using server = startServer(data, { SKILLRUN_API_KEY: key })
    const called = await calledAt(server)
    // The first start executes a sample.
    await server.printed(/with evidence for every field/)
    await called.execute()
    records = await called.records()
    expect(records).toHaveLength(2)
    const every = await stagedBlock('docs/guides/backup.md', 'skillrun backup /backups/skillrun --every')
    await play(every, { ...stage, places, until: 'The next backup begins at' })
    await play(await stagedBlock('docs/guides/backup.md', 'skillrun backup /backups/skillrun --data'), {
      ...stage,
      places,
    })
    const withKey = await stagedBlock('docs/guides/upgrade.md', 'skillrun backup /backups/skillrun --include-key')
    await play(withKey, { ...stage, places: { '/backups/skillrun': `${backups}-with-key` } })
    // systemctl stands in for systemd: it runs at once what the timer would run.
    const before = `systemctl() {
      [ "$*" = 'enable --now skillrun-backup.timer' ] && grep -q '^OnCalendar=' skillrun-backup.timer
      local command=$(sed -n 's/^ExecStart=\\/usr\\/bin\\///p' skillrun-backup.service)
      [ -n "$command" ] && $command
    }`
    const timer = await stagedBlock('docs/guides/backup.md', 'cat > /etc/systemd')
    await play(timer, { ...stage, before, places: { '/backups/skillrun': backups, '/etc/systemd/system': here } })
  }
  const { length } = (await readdir(join(backups, 'snapshots'))) as readonly string[]
  expect(length).toBe(3)

  await cp(join(data, 'secret.key'), join(here, 'secret.key'))
  await play(await stagedBlock('docs/guides/backup.md', 'mkdir -m 711'), {
    ...stage,
    places: { '/var/lib/skillrun-2': other, '/backups/skillrun': backups },
  })
  {
    await using server = startServer(other, { SKILLRUN_API_KEY: key })
    expect(await (await calledAt(server)).records()).toEqual(records)
  }

  const before = await readFile(join(data, 'secret.key'), 'utf8')
  await play(await stagedBlock('docs/guides/operations.md', 'npm run -s skillrun -- secret-key rotate'), stage)
  expect(await readFile(join(data, 'secret.key'), 'utf8')).not.toBe(before)
  // The start encrypts with the new key what the old one had encrypted.
  await play(await stagedBlock('README.md', 'npm start'), stage)

  await using database = await makeEmptyDatabase()
  const url = urlOf(database.address)
  await play(await stagedBlock('docs/guides/backup.md', 'skillrun migrate-database'), {
    ...stage,
    places: { [internal]: url, '/var/lib/skillrun': data },
  })
  await play(await stagedBlock('docs/guides/upgrade.md', 'DATABASE_URL='), { ...stage, places: { [internal]: url } })
  await play(await stagedBlock('docs/guides/scale-out.md', 'DATABASE_URL='), {
    ...stage,
    // A socket has no TLS.
    places: { [`${internal}?sslmode=verify-full`]: url },
  })
  const moved = await database.db.query<{ id: string }>('select id from executions order by created_at desc')
  expect(moved.map(({ id }) => id)).toEqual(records)
}, 300_000)

test('processes share a database and a store of files as the guides say, and a router stands before two installations', async () => {
  const s3 = await startFauxqs({ port: 0, logger: false })
  try {
    const here = await place('shared')
    const endpoint = `http://127.0.0.1:${s3.port}`
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
    const client = new S3Client({ endpoint, region: 'eu-central-1', forcePathStyle: true, credentials })
    await client.send(new CreateBucketCommand({ Bucket: 'skillrun' }))
    await using database = await makeEmptyDatabase()
    const url = urlOf(database.address)
    const env = {
      SKILLRUN_DATA: here,
      SKILLRUN_SECRET_KEY: testSecretKey,
      SKILLRUN_API_KEY: key,
      SKILLRUN_PUBLIC_URL: 'https://skillrun.example.com',
      DATABASE_URL: url,
    }
    const store = await stagedBlock('docs/guides/scale-out.md', 'export SKILLRUN_S3_URL')
    const roles = await stagedBlock('docs/guides/scale-out.md', 'SKILLRUN_ROLE=api')
    const places = {
      'https://s3.internal': endpoint,
      'ACCESS_KEY_ID=…': 'ACCESS_KEY_ID=test',
      'SECRET_ACCESS_KEY=…': 'SECRET_ACCESS_KEY=test',
    }
    const said = await play(store + roles, { folder: here, env, places })
    expect(said).toMatch(/Skillrun +http:[\s\S]*worker is at work \(slots: .*priority.?4/)

    const bucket = `s3://skillrun/files?endpoint=${endpoint}&region=eu-central-1`
    const stored = { ...env, SKILLRUN_S3_URL: bucket, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
    const rotated = await stagedBlock('docs/guides/operations.md', 'export SKILLRUN_SECRET_KEY')
    await play(`${rotated}npm start`, {
      folder: here,
      env: stored,
    })
    await expect(play('npm start', { folder: here, env: stored })).rejects.toThrow('SKILLRUN_SECRET_KEY')

    await using copied = await makeEmptyDatabase()
    const alone = await place('alone')
    {
      await using server = startServer(alone, { SKILLRUN_API_KEY: key })
      await (await calledAt(server)).execute()
    }
    const move = await stagedBlock('docs/guides/scale-out.md', 'skillrun migrate-database')
    const to = { [`${internal}?sslmode=verify-full`]: urlOf(copied.address) }
    await play(move, { folder: alone, env: { SKILLRUN_DATA: alone }, places: to })
    expect(await copied.db.query('select id from executions')).not.toEqual([])

    const router = await stagedBlock('docs/guides/scale-out.md', 'SKILLRUN_ROLE=router')
    await using one = await openTestService()
    await using two = await openTestService()
    const ways = { 'http://10.0.0.1:8080': one.url, 'http://10.0.0.2:8080': two.url }
    const routed = await play(router, { folder: here, env: { SKILLRUN_DATA: here }, places: ways })
    expect(routed).toMatch(/Skillrun router http:/)
  } finally {
    await s3.stop()
  }
}, 300_000)

test('a server with a model server of its own, and one with an OpenID provider, start as the guides say', async () => {
  const here = await place('own')
  await using model = await startMockModel({ script: () => ({ text: 'Two.' }) })
  const guide = await readFile(join(root, 'docs', 'guides', 'own-model.md'), 'utf8')
  const [, config = ''] = /```json config\n([\s\S]*?)```/.exec(guide) ?? []
  await writeFile(join(here, 'skillrun.json'), config.replaceAll('http://127.0.0.1:8000/v1', model.baseUrl))
  await using database = await makeEmptyDatabase()
  const env = { SKILLRUN_DATA: here, SKILLRUN_API_KEY: key, DATABASE_URL: urlOf(database.address) }
  const said = await play(await stagedBlock('docs/guides/own-model.md', 'SKILLRUN_CONFIG='), { folder: here, env })
  expect(said).toMatch(/mine\/small[\s\S]*mine\/large/)

  await using provider = await openIdentityProvider()
  provider.register('https://skillrun.example.com')
  const signIn = await play(await stagedBlock('docs/guides/sign-in.md', 'export SKILLRUN_PUBLIC_URL'), {
    ...{ folder: here, env },
    places: {
      'https://id.example.com/realms/office': provider.issuer,
      'CLIENT_SECRET=…': `CLIENT_SECRET='${provider.clientSecret}'`,
    },
  })
  expect(signIn).toContain(provider.issuer)
  expect(provider.seen).toContain('/.well-known/openid-configuration')
})

test('skills are created from an address and from where `npx skills add` put them', async () => {
  const here = await place('skills')
  await using service = await openTestService()
  const stage = { folder: here, env: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  const skill = (name: string) => `---\nname: ${name}\ndescription: Counts plums\n---\nCount them.\n`
  const archive = zipOf({ 'repository-main/one/SKILL.md': skill('of-an-archive') })
  const server = createServer((_request, response) => response.end(archive)).listen(0, '127.0.0.1')
  try {
    await new Promise((listening) => server.once('listening', listening))
    const { port } = server.address() as AddressInfo
    const created = await stagedBlock('docs/guides/skills.md', 'skillrun skills create https')
    await play(created, { ...stage, places: { 'https://github.com': `http://127.0.0.1:${port}` } })
  } finally {
    server.close()
  }
  await mkdir(join(here, 'published', 'plums'), { recursive: true })
  await writeFile(join(here, 'published', 'plums', 'SKILL.md'), skill('plums'))
  const cli = join(root, 'node_modules', 'skills', 'bin', 'cli.mjs')
  const before = `npx() { [ "$1" = skills ] && shift && HOME='${here}' DISABLE_TELEMETRY=1 CI=1 '${process.execPath}' '${cli}' "$@"; }`
  const installed = await stagedBlock('docs/guides/skills.md', 'npx skills add')
  await play(installed, { ...stage, before, places: { 'owner/repository': './published' } })
  const { json } = await service.call('GET', '/v1/skills')
  const names = json.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['of-an-archive', 'plums']))
})

test('the settings that the guide shows for clients of MCP reach the server by both transports', async () => {
  const here = await place('mcp')
  await using service = await openTestService()
  const staged = { 'https://skillrun.example.com': service.url, '/home/me/Documents': here }
  const settingsOf = async (beginning: string, secret: string) => {
    let text = await stagedBlock('docs/guides/mcp.md', beginning)
    for (const [name, stand] of Object.entries({ ...staged, [secret]: service.key }))
      text = text.replaceAll(name, stand)
    return JSON.parse(text)
  }
  const toolsBy = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
    const client = new Client({ name: 'a client', version: '1' })
    await client.connect(transport as Parameters<Client['connect']>[0])
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name)
  }
  const { command, args, env } = (await settingsOf('{\n  "mcpServers"', '…')).mcpServers.skillrun
  expect(command).toBe('skillrun')
  const program = join(root, 'packages', 'cli', 'skillrun.mjs')
  const started = {
    command: process.execPath,
    args: [program, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  }
  const byProgram = await toolsBy(new StdioClientTransport(started))
  const { url, headers, type } = (await settingsOf('{\n  "servers"', `\${input:skillrun-key}`)).servers.skillrun
  expect(type).toBe('http')
  const overHttp = await toolsBy(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  expect(overHttp).toContain('run')
  expect(byProgram).toEqual(expect.arrayContaining(overHttp))
})

test('each staged block of a document is run by one test', async () => {
  const own = await readFile(import.meta.filename, 'utf8')
  const others = await Promise.all(
    ['migrations', 'document-split'].map((name) => readFile(join(root, 'test', `${name}.test.ts`), 'utf8')),
  )
  const played = [
    ...[own, ...others].join('\n').matchAll(/stagedBlock\(\s*'([^']+)',\s*'([^']+)'/g),
    ...[...own.matchAll(/settingsOf\('([^']+)'/g)].map(([, beginning]) => ['', 'docs/guides/mcp.md', beginning]),
  ]
  const documents = [
    'README.md',
    'docs/READER.md',
    ...(await readdir(join(root, 'docs', 'guides'))).map((name) => `docs/guides/${name}`),
  ]
  for (const path of documents) {
    const text = await readFile(join(root, path), 'utf8')
    for (const [, code = ''] of text.matchAll(/^```\w+ staged\n([\s\S]*?)^```/gm)) {
      const by = played.filter(
        ([, of, beginning = '']) => of === path && code.startsWith(beginning.replaceAll('\\n', '\n')),
      )
      expect([path, code, by.length]).toEqual([path, code, 1])
    }
  }
})
