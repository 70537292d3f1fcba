import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { chown, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBubblewrap } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import { uploadTo } from './support/call.ts'
import { type MockModel, startMockModel } from './support/mock-model.ts'
import { copyTree } from './support/trees.ts'
import { zipOf } from './support/zips.ts'

const root = join(import.meta.dirname, '..')
/** `nobody`: not root, and with a name, which PostgreSQL needs. */
const nobody = 65_534
const canary = 'canary-4711'

/** What prevents running a server below /usr as another user on this machine; undefined: nothing. */
async function missingHere(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root may install below /usr'
  try {
    accessSync('/usr/lib', constants.W_OK)
  } catch {
    return '/usr/lib is read-only'
  }
  const opens = spawn(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(root)} + '/package.json')`], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
    stdio: 'ignore',
  })
  opens.on('error', () => undefined)
  if ((await once(opens, 'close'))[0] !== 0) return 'other users may not enter the folder of this project'
  const looked = await findBubblewrap({ environment: process.env, hidden: [], as: { uid: nobody, gid: nobody } })
  return 'missing' in looked ? looked.missing : undefined
}

const missing = await missingHere()

/** Prints what a script can see of the given places and of similar ones. */
const lookAround = `import os, socket, stat, sys
project = sys.argv[1]
seen = []
for folder, folders, files in os.walk('/'):
    if folder.split('/')[1:2] == ['proc']:
        folders.clear()
    for name in files:
        path = os.path.join(folder, name)
        try: mode = os.lstat(path).st_mode
        except OSError: continue
        if os.path.basename(project) in path or name == '.env' or stat.S_ISSOCK(mode): seen.append(path)
for place in sys.argv[2:]:
    for path in [place, place.replace('/usr/lib/', '/lib/')]:
        try:
            if path.endswith('.5432'): socket.socket(socket.AF_UNIX).connect(path)
            else: open(path, 'rb').read()
            seen.append(path)
        except OSError: pass
        for up in [os.path.dirname(path)]:
            try: seen.extend(os.path.join(up, name) for name in os.listdir(up))
            except OSError: pass
print(seen)
`

describe.skipIf(missing !== undefined)(`a server below /usr that is not root${missing ? ` (${missing})` : ''}`, () => {
  const project = `/usr/lib/skillrun-test-${process.pid}`
  const dataFolder = join(project, '.skillrun')
  const secret = join(project, '.env')
  let model: MockModel
  let url: string
  let server: ReturnType<typeof spawn>

  beforeAll(async () => {
    model = await startMockModel({
      script: ({ results, body }) => {
        const places = /PLACES (\S+)/.exec(JSON.stringify(body))?.[1]?.split(',') ?? []
        const input = { script: 'look.py', arguments: [project, ...places] }
        const usage = { inputTokens: 1, outputTokens: 1 }
        return results.length === 0
          ? { toolCalls: [{ name: 'skills_run_script', input }], usage }
          : { text: results.at(-1) ?? '', usage }
      },
    })
    await mkdir(project)
    for (const name of ['packages', 'skills', 'package.json', 'samples'])
      await copyTree(join(root, name), join(project, name))
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
    await writeFile(secret, `SECRET=${canary}`, { mode: 0o600 })
    await chown(secret, nobody, nobody)
    await chown(project, nobody, nobody)
    server = spawn(process.execPath, [join(project, 'packages', 'server', 'src', 'main.mjs')], {
      cwd: project,
      uid: nobody,
      gid: nobody,
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        SKILLRUN_API_KEY: 'key-of-the-server',
        OLLAMA_BASE_URL: 'off',
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: model.baseUrl,
        SKILLRUN_CONFIG: await configuration(),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    url = await printed(server, /Skillrun +(http:\S+)/)
  })
  afterAll(async () => {
    if (server?.exitCode === null) {
      const ended = once(server, 'close')
      server.kill('SIGTERM')
      await ended
    }
    await model?.[Symbol.asyncDispose]()
    await rm(project, { recursive: true, force: true })
  })

  async function configuration(): Promise<string> {
    const file = join(project, 'configuration.json')
    const facts = { input: 0, cached_input: 0, output: 0, context_tokens: 100_000, output_tokens_max: 1_000 }
    const mine = { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'small' }
    await writeFile(
      file,
      JSON.stringify({ providers: { mine }, models: { 'mine/small': { ...facts, takes: ['text', 'tools'] } } }),
    )
    return file
  }

  test('shows a script neither its secrets, nor files of callers, nor the socket of its database', async () => {
    const headers = { Authorization: 'Bearer key-of-the-server' }
    expect((await uploadTo({ url, key: 'key-of-the-server' }, canary, 'other.txt')).status).toBe(201)
    const blobs = (await readdir(join(dataFolder, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(blobs.length).toBeGreaterThan(0)
    const socket = join(dataFolder, 'postgres', 'socket', '.s.PGSQL.5432')
    const places = [secret, join(project, 'configuration.json'), socket, ...blobs]
    const data = zipOf({
      'SKILL.md': '---\nname: look\ndescription: Looks around.\n---\n\nRun look.py.\n',
      'look.py': lookAround,
    }).toString('base64')
    const source = { type: 'base64', media_type: 'application/zip', data }
    const answer = await fetch(`${url}/v1/agent/execute`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-agent-1:fast',
        batch: false,
        inputs: { number: { value: 21 } },
        config: {
          prompt: `Look around. PLACES ${places.join(',')} `,
          skills: [{ type: 'inline', name: 'look', description: 'Looks around', source }],
        },
      }),
    })
    const record = (await answer.json()) as { status: string; response: string }
    expect(record, JSON.stringify(record)).toMatchObject({ status: 'completed' })
    expect(JSON.parse(JSON.parse(record.response))).toMatchObject({ exit_code: 0, stdout: '[]\n', stderr: '' })
  })
})

/** The first group of the pattern, once the process has printed it. */
async function printed(child: ReturnType<typeof spawn>, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const part of child.stdout ?? []) {
    text += part
    const match = pattern.exec(text)
    if (match) {
      child.stdout?.on('data', () => undefined)
      return match[1] ?? ''
    }
  }
  throw new Error(`the process ended without printing ${pattern}: ${text}`)
}
