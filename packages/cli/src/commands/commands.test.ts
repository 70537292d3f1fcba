import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@skillrun/core/clock.ts'
import { beforeEach, expect, test } from 'vitest'
import { makeEmptyDatabase } from '../../../../test/support/database.ts'
import { urlOf } from '../../../../test/support/database-url.ts'
import { Command } from '../command.ts'
import { type Place, skillrun, startSkillrun } from '../command-line.ts'
import { commandModules, programOf } from '../program.ts'
import { openScriptedPlace } from '../scripted-place.ts'
import { cut, executionRecord, fileId, fileRecord, type ScriptedServer, stream } from '../scripted-server.ts'
import { processTerminal } from '../terminal.ts'

let server: ScriptedServer
let folder: string
let place: Place

beforeEach(async () => {
  const opened = await openScriptedPlace()
  ;({ server, folder, place } = opened)
  return () => opened[Symbol.asyncDispose]()
})

const id = '0192f0c1-0000-7000-8000-0000000000e1'
const executionRoute = `GET /v1/agent/executions/${id}`

test('executions get prints a readable record, and the complete one with --json', async () => {
  const record = executionRecord(id, 'completed', { response: { total: 1 } })
  server.script(executionRoute, { status: 200, json: record })
  const people = await skillrun(['executions', 'get', id], place)
  expect(people.code).toBe(0)
  expect(people.stdout).toContain('status     completed\n')
  expect(people.stdout).toContain('created    2026-11-21 15:00:00Z\n')
  expect(people.stdout).toContain('{\n  "total": 1\n}\n')
  const json = await skillrun(['executions', 'get', id, '--json'], place)
  expect(JSON.parse(json.stdout)).toEqual(record)
})

test('executions get --wait waits for the end, even over a dropped connection, and prints only the response', async () => {
  server.script(
    executionRoute,
    { status: 200, json: executionRecord(id, 'running') },
    cut,
    { status: 503, json: { detail: 'Starting' }, headers: { 'Retry-After': '0' } },
    { status: 200, json: executionRecord(id, 'completed', { response: 'done' }) },
  )
  const ended = await skillrun(['executions', 'get', id, '--wait'], place)
  expect(ended).toMatchObject({ code: 0, stdout: '"done"\n' })
})

test("executions get with an unknown id exits 1 with the server's message", async () => {
  server.script(executionRoute, { status: 404, json: { detail: 'There is no execution of that id' } })
  expect(await skillrun(['executions', 'get', id], place)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'skillrun: There is no execution of that id\n',
  })
})

test('executions import sends a whole capsule, which may be larger than a schema', async () => {
  server.script('POST /v1/capsules', { status: 201, json: executionRecord(id, 'completed', { trusted: true }) })
  const payload = 'A'.repeat(8 * 1024 * 1024)
  await writeFile(join(folder, 'a.json'), JSON.stringify({ payload }))
  const imported = await skillrun(['executions', 'import', 'a.json'], place)
  expect(imported).toEqual({ code: 0, stdout: `${id}\n`, stderr: '' })
})

test('executions list sends its filters and prints a table', async () => {
  server.script('GET /v1/agent/executions', { status: 200, json: [executionRecord(id, 'failed')] })
  const ended = await skillrun(['executions', 'list', '--status', 'failed', '--limit', '5', '--agent', 'x'], place)
  expect(ended.stdout.split('\n')[0]).toMatch(/^ID +STATUS +CREATED +COST +AGENT$/)
  expect(ended.stdout.split('\n')[1]).toBe(`${id}  failed  2026-11-21 15:00:00Z  $0    extract-the-invoice`)
  expect(server.seen[0]?.query).toEqual({ skip: '0', limit: '5', status: 'failed', name: 'x' })
})

test('executions list --follow prints changes reported by the server, even after a broken stream, until Ctrl-C', async () => {
  const [first, second] = [id, id.replace(/e1$/, 'e2')]
  const looks = (...states: readonly (readonly [string, string])[]) => ({
    status: 200,
    json: states.map(([one, status]) => executionRecord(one, status)),
  })
  server.script(
    'GET /v1/agent/executions',
    looks([first, 'running']),
    looks([first, 'running']),
    looks([second, 'enqueued'], [first, 'running']),
    looks([second, 'enqueued'], [first, 'completed']),
  )
  server.script('GET /v1/agent/events', stream([['changed', {}]]), stream([['changed', {}]], { staysOpen: true }))
  const running = startSkillrun(['executions', 'list', '--follow', '--limit', '1'], place)
  await running.printed(/completed/)
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(130)
  const rows = stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))
  expect(rows).toEqual(['ID STATUS', `${first} running`, `${second} enqueued`, `${first} completed`, ''])
  expect(
    new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.search(/AGENT|extract/)),
    ).size,
  ).toBe(1)
})

test('executions list --follow reports an unreachable server, with the usual exit code', async () => {
  server.script('GET /v1/agent/executions', { status: 200, json: [executionRecord(id, 'running')] })
  server.script('GET /v1/agent/events', cut)
  const ended = await skillrun(['executions', 'list', '--follow', '--json'], place)
  expect(ended.code).toBe(3)
  expect(JSON.parse(ended.stdout)).toMatchObject({ id, status: 'running' })
  expect(ended.stderr).toContain('ended before the reply was complete')
})

test('files upload prints the records of completed uploads, even when a later one is refused', async () => {
  await writeFile(join(folder, 'a.txt'), 'aaa')
  await writeFile(join(folder, 'b.txt'), 'b')
  server.script(
    'POST /v1/files',
    { status: 201, json: fileRecord('a.txt', 3) },
    { status: 413, json: { detail: 'The file is too large' } },
  )
  const ended = await skillrun(['files', 'upload', 'a.txt', 'b.txt', '--json'], place)
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toEqual([fileRecord('a.txt', 3)])
  expect(ended.stderr).toContain('skillrun: The file is too large\n')
})

test("a server's refusal in the middle of an upload is reported", async () => {
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(30_000_000))
  server.script('POST /v1/files', { status: 413, json: { detail: 'The file is too large' } })
  const ended = await skillrun(['files', 'upload', 'large.bin'], place)
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('skillrun: The file is too large\n')
})

test('files download writes the file under its name, and never overwrites an existing one', async () => {
  server.script(`GET /v1/files/${fileId}`, { status: 200, json: fileRecord('../../.a.txt', 3) })
  server.script(`GET /v1/files/${fileId}/content`, (reply) => void reply.end('aaa'))
  expect((await skillrun(['files', 'download', fileId], place)).code).toBe(0)
  expect(await readdir(folder)).toEqual(['a.txt'])
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('aaa')
  const again = await skillrun(['files', 'download', fileId], place)
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('already exists')
  expect((await skillrun(['files', 'download', fileId, '-o', '-'], place)).stdout).toBe('aaa')
})

test('an aborted download leaves no file', async () => {
  server.script(`GET /v1/files/${fileId}`, { status: 200, json: fileRecord('a.txt', 1000) })
  server.script(`GET /v1/files/${fileId}/content`, (reply) => {
    reply.writeHead(200, { 'Content-Length': '1000' })
    reply.write('aaa', () => reply.socket?.destroy())
  })
  const ended = await skillrun(['files', 'download', fileId], place)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(/^skillrun: The connection to \S+ ended/)
  expect(await readdir(folder)).toEqual([])
})

test('files list, get and delete name what they found', async () => {
  server.script('GET /v1/files', { status: 200, json: [fileRecord('a.txt', 1500)] })
  server.script(`GET /v1/files/${fileId}`, { status: 200, json: fileRecord('a.txt', 1500) })
  server.script(`DELETE /v1/files/${fileId}`, { status: 200, json: fileRecord('a.txt', 1500) })
  expect((await skillrun(['files', 'list'], place)).stdout).toContain(
    `${fileId}  1.5 kB  2026-11-21 15:00:00Z  a.txt\n`,
  )
  expect((await skillrun(['files', 'get', fileId], place)).stdout).toContain('filename    a.txt\n')
  expect((await skillrun(['files', 'delete', fileId], place)).stderr).toBe(`deleted a.txt (${fileId})\n`)
})

test('keys create sends its options, prints the key on stdout and says that it is shown only once', async () => {
  const made = {
    id,
    key: 'sk-new',
    workspace: 'accounting',
    name: null,
    scopes: ['read', 'execute'],
    expires_at: null,
    created_at: null,
  }
  server.script('POST /v1/keys', { status: 201, json: made })
  const args = ['keys', 'create', '--workspace', 'accounting', '--scopes', 'read,execute', '--expires', '2999-01-31']
  const people = await skillrun(args, place)
  expect(people.stdout).toContain('key         sk-new\n')
  expect(people.stderr).toBe('Save the key now: it is not shown again.\n')
  expect(server.seen[0]?.json).toEqual({
    workspace: 'accounting',
    scopes: ['read', 'execute'],
    expires_at: '2999-01-31T00:00:00.000Z',
  })
  expect(JSON.parse((await skillrun([...args, '--json'], place)).stdout)).toEqual(made)
})

test('an expiry in the past, or that is no date, is refused locally', async () => {
  expect((await skillrun(['keys', 'create', '--expires', '2001-01-31'], place)).stderr).toContain(
    'It must be in the future.',
  )
  expect((await skillrun(['keys', 'create', '--expires', 'tomorrow'], place)).stderr).toContain(
    'It must be a date such as',
  )
  expect(server.seen).toEqual([])
})

test('keys list and revoke identify keys by their ids; a key without the scope exits 4', async () => {
  const key = {
    id,
    name: 'night',
    workspace: 'default',
    scopes: ['read'],
    created_at: null,
    expires_at: null,
    revoked_at: null,
  }
  server.script('GET /v1/keys', { status: 200, json: [key] })
  server.script(`DELETE /v1/keys/${id}`, { status: 200, json: key })
  expect((await skillrun(['keys', 'list'], place)).stdout).toContain(`${id}  night  default    read`)
  expect(await skillrun(['keys', 'revoke', id], place)).toEqual({ code: 0, stdout: '', stderr: `revoked ${id}\n` })
  server.script('GET /v1/keys', {
    status: 403,
    json: { detail: 'This route needs a key with the scope admin; this one has read' },
  })
  expect((await skillrun(['keys', 'list'], place)).code).toBe(4)
})

test('top shows the queues again and again until it is interrupted, and once where nobody looks', async () => {
  const tier = { tier: 'standard', slots: 8, waiting: 41, running: 8, paused: 0, stalled: 0, retried: 0 }
  const queues = (waiting: number) => ({
    status: 200,
    json: { tiers: [{ ...tier, waiting, oldest_waiting_at: null }], workers: null },
  })
  server.script('GET /v1/queues', queues(41), queues(17))
  const running = startSkillrun(['top', '--live'], place)
  await running.printed(/ 41 .* 17 /s)
  running.kill('SIGINT')
  expect(await running.ended).toMatchObject({ code: 130, stderr: '' })
  const once = await skillrun(['top'], place)
  expect(once.code).toBe(0)
  expect(once.stdout).toMatch(/^TIER +SLOTS +WAITING.*\nstandard +8 +17 +8 /s)
})

test('a password in the address of the server is not printed', async () => {
  for (const address of [
    'http://me:hidden@127.0.0.1:1',
    'http://me:hid/hidden@h',
    'http://me:x@hidden@h',
    'http:/me:hidden@h',
  ]) {
    const refused = await skillrun(['executions', 'list'], { folder, environment: { SKILLRUN_URL: address } })
    expect(refused.stderr).toContain('without a user and password')
    expect(refused.stderr).not.toContain('hidden')
  }
})

test('doctor needs no server, names what is missing with its remedy, and fails only for required parts', async () => {
  const environment = {
    SKILLRUN_URL: 'http://127.0.0.1:1',
    SKILLRUN_DATA: join(folder, 'data'),
    OPENAI_API_KEY: 'a-secret',
  }
  const good = await skillrun(['doctor', '--json'], { folder, environment })
  const checks = JSON.parse(good.stdout) as { name: string; status: string; found: string; remedy?: string }[]
  const check = (name: string) => checks.find((each) => each.name === name)
  expect(checks.filter(({ status, remedy }) => (status === 'ok') !== (remedy === undefined))).toEqual([])
  expect(check('Node')?.status).toBe('ok')
  expect(check('data folder')?.status).toBe('ok')
  expect(check('server')).toMatchObject({ status: 'optional', remedy: 'start one with "skillrun serve"' })
  expect(check('model providers')?.found).toBe('OPENAI_API_KEY set')
  expect(good.stdout).not.toContain('a-secret')
  expect(check('interpreters')?.found).toContain(`node ${process.version}, /`)
  expect(check('outbound proxy')).toBeUndefined()
  const fonts = join(folder, '.fonts')
  await mkdir(fonts)
  await writeFile(join(fonts, 'one.ttf'), '')
  const behind = { ...environment, HOME: folder, https_proxy: 'http://me:hidden@proxy:3128' }
  const proxied = await skillrun(['doctor'], { folder, environment: behind })
  expect(proxied.stdout).toMatch(/^ok +outbound proxy +HTTPS_PROXY set; calls of model/m)
  expect(proxied.stdout).toMatch(/^ok +fonts +\/\S+$/m)
  expect(proxied.stdout).not.toContain('hidden')
  const broken = {
    ...environment,
    DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/db',
    SKILLRUN_PYTHON: join(folder, 'no-python'),
  }
  const bad = await skillrun(['doctor'], { folder, environment: broken })
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/^missing +PostgreSQL +127\.0\.0\.1:1 of DATABASE_URL does not answer: ECONNREFUSED/m)
  expect(bad.stdout).not.toContain('hidden')
  expect(bad.stdout).toMatch(/^missing +interpreters +.*no-python.*is neither a Python interpreter nor/m)
})

test('doctor names what a bare machine lacks, what does not work without it, and that nothing of it is required', async () => {
  const environment = { PATH: folder, SKILLRUN_URL: 'http://127.0.0.1:1', SKILLRUN_DATA: join(folder, 'data') }
  const { code, stdout } = await skillrun(['doctor'], { folder, environment })
  expect(stdout).toMatch(/^optional +ffmpeg +not on PATH; needed for video and audio: .*apt-get install ffmpeg/m)
  expect(stdout).toMatch(/^optional +bubblewrap +.*; without it, scripts of skills are refused, and .*: \S/m)
  expect(code).toBe(0)
})

const withoutFonts = [
  '--dev-bind',
  '/',
  '/',
  ...['/usr/share', '/usr/local/share'].flatMap((place) => ['--tmpfs', place]),
]
const canHideFonts = spawnSync('bwrap', [...withoutFonts, 'true']).status === 0
test.skipIf(!canHideFonts && process.env['REQUIRE_SANDBOX'] !== '1')(
  'doctor says what is drawn otherwise where there are no fonts',
  () => {
    const entry = join(import.meta.dirname, '..', '..', 'skillrun.mjs')
    const { PATH = '' } = process.env
    const env = { PATH, HOME: folder, SKILLRUN_URL: 'http://127.0.0.1:1', SKILLRUN_DATA: join(folder, 'data') }
    const { stdout } = spawnSync('bwrap', [...withoutFonts, process.execPath, entry, 'doctor'], {
      env,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(
      /^optional +fonts +none; letters in charts .* are drawn as boxes, everything else works: apt-get/m,
    )
  },
)

test("doctor checks the server's database for durability and its clock", async () => {
  await using database = await makeEmptyDatabase()
  const { database: name, password = '' } = database.address
  const address = urlOf(database.address)
  const environment = { SKILLRUN_URL: 'http://127.0.0.1:1', SKILLRUN_DATA: join(folder, 'data'), DATABASE_URL: address }
  const good = await skillrun(['doctor'], { folder, environment })
  expect(good.code).toBe(0)
  expect(good.stdout).toMatch(/^ok +PostgreSQL .* of DATABASE_URL is PostgreSQL \d+/m)
  expect(good.stdout).toMatch(/^ok +database role +no superuser/m)
  const asSuperuser = { ...environment, DATABASE_URL: urlOf(database.administratorAddress) }
  const exempt = await skillrun(['doctor'], { folder, environment: asSuperuser })
  expect(exempt.stdout).toMatch(/^optional +database role +a superuser/m)
  expect(good.stdout).toMatch(/^ok +durability +fsync=\w+, full_page_writes=on, synchronous_commit=on/m)
  expect(good.stdout).toMatch(/^ok +clock +the clock of the database is \d+\.\d s (ahead of|behind) this machine/m)
  expect(good.stdout).not.toContain(password)
  await database.db.query(`alter database ${name} set synchronous_commit = off`)
  const bad = await skillrun(['doctor'], { folder, environment })
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/^missing +durability .*synchronous_commit=off: turn it on/m)
})

test('doctor reports an unusable data folder, and a key that the server refuses', async () => {
  await writeFile(join(folder, 'a-file'), '')
  const environment = {
    SKILLRUN_URL: server.url,
    SKILLRUN_API_KEY: 'sk-wrong',
    SKILLRUN_DATA: join(folder, 'a-file', 'data'),
  }
  const ended = await skillrun(['doctor'], { folder, environment })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/^missing +data folder /m)
  expect(ended.stdout).toMatch(/^missing +server .*the key came from SKILLRUN_API_KEY/m)
})

test('doctor with the variables of a router checks the installations behind it, and no data of its own', async () => {
  server.script('GET /readyz', { status: 200, json: { status: 'ok' } })
  const environment = { SKILLRUN_URL: 'http://127.0.0.1:1', SKILLRUN_ROLE: 'router', DATABASE_URL: 'none' }
  const both = { ...environment, SKILLRUN_SHARDS: `a=${server.url},b=http://127.0.0.1:1` }
  const ended = await skillrun(['doctor'], { folder, environment: both })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/^ok +shard a +http:\S+ is ready/m)
  expect(ended.stdout).toMatch(/^missing +shard b +http:\S+ does not answer: start it/m)
  expect(ended.stdout).not.toMatch(/data folder|DATABASE_URL/)
  const none = await skillrun(['doctor'], { folder, environment })
  expect(none.stdout).toMatch(/^missing +shards +SKILLRUN_SHARDS names no installations: set SKILLRUN_SHARDS/m)
})

test('a command loads its own modules alone, and those of the server only if it needs one', async () => {
  for (const { names, load } of commandModules) {
    const program = new Command(processTerminal(systemClock, new AbortController().signal))
    const add = await load()
    add(program, processTerminal(systemClock, new AbortController().signal), () => {})
    const added = program.commands.map((one) => one.name())
    expect(names.length === 0 ? ['completion'] : names.toSorted()).toEqual(added.toSorted())
  }
  // Each module that is loaded, on stdout.
  const hook = `import module from 'node:module'
    import { writeSync } from 'node:fs'
    module.registerHooks({ load: (url, context, next) => (writeSync(1, url + '\\n'), next(url, context)) })`
  const environment = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"` }
  const loadedBy = async (...words: readonly string[]) => {
    const { stdout, stderr } = await skillrun(['verify', 'none.json', '--keys', 'none.json', ...words], {
      folder,
      environment,
    })
    expect(stderr).toContain('none.json cannot be read')
    const loaded = [...stdout.matchAll(/(?:packages|node_modules)\/((?:@[^/]+\/)?[^/]+)\/(.*)/g)]
    return loaded.map(([, name, path]) => `${name}/${path}`)
  }
  const isOwn = (path: string) => /^(?:cli|core|commander)\//.test(path)
  const others = ['client/src/failure.ts', 'server/src/core/limits.ts']
  const whole = await loadedBy('--url', 'http://127.0.0.1')
  expect(whole).toContain('cli/src/capsules/capsules.ts')
  expect(whole.filter((path) => !isOwn(path))).toEqual(others)
  // A check without a server does without the parser of commands.
  const offline = await loadedBy()
  expect(offline.filter((path) => !isOwn(path))).toEqual(others)
  expect(offline.filter((path) => /^commander\/|capsules\.ts$/.test(path))).toEqual([])
})

test('every command has help with an example', async () => {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const terminal = { ...processTerminal(systemClock, new AbortController().signal), print, log: print }
  const helpOf = async (command: string) => {
    printed = ''
    const words = [...command.split(' '), '--help']
    const program = await programOf(words, terminal, () => {})
    await expect(program.parseAsync(words, { from: 'user' }), command).rejects.toMatchObject({ exitCode: 0 })
    return printed
  }
  const completion = await skillrun(['completion', 'bash'], place)
  const commands = [...completion.stdout.matchAll(/^ {6}'([^']+)'\)/gm)].map((match) => match[1] ?? '')
  expect(commands).toContain('executions get')
  for (const command of commands) {
    const help = await helpOf(command)
    expect(help, command).toMatch(new RegExp(`^Usage: skillrun ${command}( |$)`, 'm'))
    expect(help, command).toMatch(/Examples:\n {2}\$ /)
    expect(help, command).toContain('--url <URL>')
  }
  expect(await helpOf('backup verify')).not.toContain('--keep')
  const shown = await skillrun(['executions', 'get', '--help'], place)
  const normal = (text: string) => text.replaceAll(/\s+/g, ' ')
  expect({ ...shown, stdout: normal(shown.stdout) }).toEqual({
    code: 0,
    stdout: normal(await helpOf('executions get')),
    stderr: '',
  })
})

test('an unknown command is named', async () => {
  expect(await skillrun(['exexute'], place)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining("unknown command 'exexute'"),
  })
})

test('a closed output pipe is no failure', async () => {
  const running = startSkillrun(['completion', 'bash'], place)
  running.closeStdout()
  expect((await running.ended).stderr).toBe('')
})
