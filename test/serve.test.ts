import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callServer } from './support/call.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { copyTree } from './support/trees.ts'
import { lookAgain } from './support/until.ts'

const folder = await temporaryFolder('serve with spaces', afterAll)
const key = 'the-key-of-the-operator'
const root = new URL('..', import.meta.url).pathname
const body = {
  inputs: { text: invoiceLines.join('\n') },
  config: { prompt: 'Extract the fields', json_schema: invoiceSchema },
}

const call = async (url: string, path: string, options: { key?: string; body?: unknown } = {}) => {
  const method = options.body === undefined ? 'GET' : 'POST'
  return (await callServer({ url, key: options.key ?? key }, method, path, options)).json
}
const address = /Skillrun +(http:\S+)/
const processesOf = (data: string) =>
  execFileSync('ps', ['-eo', 'args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes(data))

/** Children that are killed with their server end a moment after it. */
const nothingRuns = (data: string) => expect.poll(() => processesOf(data), { timeout: 2_000 }).toEqual([])

let prepared: Promise<string> | undefined
/** A data folder of a server that was stopped. The database is made once, and copied. */
async function usedFolder(name: string): Promise<string> {
  const prepare = async () => {
    const data = join(folder, 'prepared')
    await using server = startServer(data, { SKILLRUN_API_KEY: key })
    await server.printed(/completed: 1 page/)
    expect(await server.end()).toBe(0)
    return data
  }
  prepared ??= prepare()
  const copy = join(folder, name)
  await copyTree(await prepared, copy)
  return copy
}

/** The process group of a process, and those of its children. */
function processGroups(pid: number | undefined): { own: number | undefined; helpers: readonly (number | undefined)[] } {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,pgid='])
    .toString()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  return {
    own: rows.find(([one]) => one === pid)?.[2],
    helpers: rows.filter(([, parent]) => parent === pid).map(([, , group]) => group),
  }
}

describe('a server', () => {
  test('on a fresh folder prints its address, its key once, its models, and the extracted sample invoice; its helpers have process groups of their own; SIGTERM leaves no process', async () => {
    const data = join(folder, 'fresh')
    await using server = startServer(data)
    const url = (await server.printed(address))[1] ?? ''
    const made = (await server.printed(/API key +(\S+)/))[1] ?? ''
    await server.printed(/svc-agent-1.*embedded engine/)
    await server.printed(/completed: 1 page/)
    const [sample] = await call(url, '/v1/agent/executions', { key: made })
    expect(sample).toMatchObject({ status: 'completed', usage: { elements_processed: 1 } })
    const pages = [...server.output().matchAll(/(?:Console|API) {2,}(http\S+)|\((http\S+openapi\.json)\)/g)].flatMap(
      ([, page, description]) => page ?? description ?? [],
    )
    expect(await Promise.all(pages.map(async (page) => [page, (await fetch(page)).status]))).toEqual([
      [`${url}/`, 200],
      [`${url}/docs/api`, 200],
      [`${url}/openapi.json`, 200],
    ])
    // So Ctrl-C in a terminal stops the server and aborts no work.
    const { own, helpers } = processGroups(server.process.pid)
    // PostgreSQL, and the readers of the sample.
    expect(helpers.length).toBeGreaterThan(1)
    expect(helpers).not.toContain(own)
    expect(await server.end('SIGTERM')).toBe(0)
    await nothingRuns(data)

    await using again = startServer(data)
    const secondUrl = (await again.printed(address))[1] ?? ''
    expect((await call(secondUrl, '/v1/agent/executions', { key: made })).map((one: { id: string }) => one.id)).toEqual(
      [sample.id],
    )
    expect(again.output()).not.toMatch(/API key/)
    expect(again.output()).not.toContain(made)
    expect(await again.end('SIGINT')).toBe(0)
  })

  test('loses nothing when killed: the next start adopts the database and finishes what was accepted', async () => {
    const data = await usedFolder('killed')
    const accepted: string[] = []
    {
      await using server = startServer(data, { SKILLRUN_API_KEY: key })
      const url = (await server.printed(address))[1] ?? ''
      for (let count = 0; count < 20; count++) accepted.push((await call(url, '/v1/agent/execute', { body })).id)
      await server.end('SIGKILL')
    }
    await using server = startServer(data, { SKILLRUN_API_KEY: key })
    const url = (await server.printed(address))[1] ?? ''
    for (const id of accepted) {
      let execution = await call(url, `/v1/agent/executions/${id}`)
      while (execution.status === 'enqueued' || execution.status === 'running') {
        execution = await call(url, `/v1/agent/executions/${id}`)
        await lookAgain()
      }
      expect(execution).toMatchObject({ id, status: 'completed', response: { invoice_number: 'INV-2041', total: 144 } })
    }
    expect(await server.end()).toBe(0)
    await nothingRuns(data)
  })

  test('refuses a second one on the same folder with one sentence, and the first continues', async () => {
    const data = await usedFolder('shared')
    await using first = startServer(data, { SKILLRUN_API_KEY: key })
    const url = (await first.printed(address))[1] ?? ''
    const second = startServer(data, { SKILLRUN_API_KEY: key })
    await expect(second.printed(address)).rejects.toThrow()
    expect(await second.end()).toBe(1)
    expect(second.output().trim().split('\n')).toEqual([
      expect.stringMatching(/^skillrun: .*The data folder .* is in use/),
    ])
    expect(await call(url, '/v1/health')).toEqual({ status: 'ok' })
  })
})

describe('a server that npm started', () => {
  test.each([
    ['SIGTERM to npm alone, as a supervisor does', false, 'SIGTERM'],
    ['Ctrl-C, which npm and the server both get', true, 'SIGINT'],
  ] as const)('%s: it drains, and nothing is left running', async (_name, wholeGroup, signal) => {
    const data = await usedFolder(`npm ${signal}`)
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, PORT: '0', SKILLRUN_DATA: data, SKILLRUN_API_KEY: key }
    const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(npm.stdout, 'close')
    let output = ''
    await new Promise<void>((resolve) => {
      npm.stdout.on('data', (part: Buffer) => {
        output += part.toString()
        if (address.test(output)) resolve()
      })
    })
    process.kill(wholeGroup ? -Number(npm.pid) : Number(npm.pid), signal)
    await ended
    expect(output).toMatch(/Stopped\.\s*$/)
    await nothingRuns(data)
  })
})

describe('an invalid setting stops the start with one sentence that names it', () => {
  test.each([
    ['PORT', 'eighty', '65535'],
    ['SKILLRUN_ROLE', 'boss', 'all, api, worker'],
    ['LOG_LEVEL', 'loud', 'info'],
    ['SKILLRUN_SLOTS', 'standard=0', 'priority=4,standard=8,flex=4'],
    ['SKILLRUN_API_KEY', 'short', '16'],
    ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ['SKILLRUN_CONFIG', 'nowhere.json', 'JSON'],
    ['SKILLRUN_ALLOW_PRIVATE', '10.0.0.0/99', '10.0.0.0/99'],
    ['SKILLRUN_S3_URL', 'ftp://somewhere', 's3'],
    ['SKILLRUN_DATA', join(root, 'package.json'), 'a folder'],
    ['SKILLRUN_DATA', join(root, 'package.json', 'below'), 'a folder'],
    // A place where even root cannot create anything.
    ['SKILLRUN_DATA', '/dev/null/below', 'a folder'],
    ['SKILLRUN_DATA', '/proc', '"/proc" cannot be'],
    ['SKILLRUN_DATA', '/proc/made/below', '"/proc/made/below" cannot be'],
    ['SKILLRUN_DATA', '/sys/made', '"/sys/made" cannot be'],
  ])('%s=%s', async (name, value, allowed) => {
    const server = startServer(join(folder, 'never'), { [name]: value })
    await expect(server.printed(address)).rejects.toThrow()
    expect(await server.end()).toBe(1)
    const lines = server.output().trim().split('\n')
    expect(lines).toEqual([expect.stringContaining(name)])
    expect(lines[0]).toContain(allowed)
    expect(existsSync(join(folder, 'never', 'postgres'))).toBe(false)
  })

  test('and so does an argument, before a folder is created; --help explains the settings', async () => {
    const data = join(folder, 'asked for help')
    const env = { PATH: process.env['PATH'], SKILLRUN_DATA: data, PORT: '0' }
    const start = (argument: string) =>
      spawnSync(process.execPath, [join(root, 'packages', 'server', 'src', 'main.mjs'), argument], {
        env,
        encoding: 'utf8',
      })
    expect(start('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('environment'), stderr: '' })
    const refused = start('--port=80')
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^skillrun: the server takes no arguments, and was given "--port=80"\.$/m)
    expect(existsSync(data)).toBe(false)
  })

  test('a host that is not this machine', async () => {
    // A documentation address (RFC 5737), which no machine has.
    const server = startServer(join(folder, 'host'), { HOST: '198.51.100.7' })
    await expect(server.printed(address)).rejects.toThrow()
    expect(await server.end()).toBe(1)
    expect(server.output().trim()).toMatch(/^skillrun: HOST is "198\.51\.100\.7", but should be .* 127\.0\.0\.1.*\.$/)
    await nothingRuns(join(folder, 'host'))
  })

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const server = startServer(join(folder, 'port'), { PORT: String(port) })
    await expect(server.printed(address)).rejects.toThrow()
    expect(await server.end()).toBe(1)
    expect(server.output()).toMatch(new RegExp(`PORT ${port} is in use`))
    await nothingRuns(join(folder, 'port'))
    other.close()
    // No key has been shown yet, so the next start shows it.
    await using again = startServer(join(folder, 'port'))
    const url = (await again.printed(address))[1] ?? ''
    const made = (await again.printed(/API key +(\S+)/))[1] ?? ''
    await again.printed(/completed: 1 page/)
    expect(await call(url, '/v1/agent/executions', { key: made })).toHaveLength(1)
  })
})
