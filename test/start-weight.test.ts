import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ensureServer } from '../scripts/server.mjs'
import { startArguments, startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Loading modules is most of a start. These ceilings only fall; SKILLRUN_SHOW_WORK=1 prints what is loaded. */
const most = { modules: 185, megabytes: 4.5 }

const root = join(import.meta.dirname, '..')

test('an image has all sources of the build, so that it can tell that the build is not older', async () => {
  ensureServer()
  const built = join(root, 'packages', 'server', 'dist', 'list.json')
  const { sources } = JSON.parse(await readFile(built, 'utf8')) as { sources: string[] }
  const assemble = await readFile(join(root, 'deploy', 'assemble.sh'), 'utf8')
  const left = [...assemble.matchAll(/--exclude='?([^' ]+)'?/g)].map(([, pattern = '']) => pattern.replace('*', ''))
  const taken = sources.map((path) => relative(root, join(root, 'packages', 'server', path)))

  expect(left).toContain('testing')
  expect(taken).toContain(join('packages', 'server', 'src', 'serve.ts'))
  expect(taken.filter((path) => left.some((pattern) => path.includes(pattern)))).toEqual([])
  expect(taken.filter((path) => !path.startsWith('packages') && path !== 'package-lock.json')).toEqual([])
})

test('a server has the same options of Node, however it is started', async () => {
  const [options] = startArguments()
  const image = await readFile(join(root, 'deploy', 'Dockerfile'), 'utf8')
  const command = await readFile(join(root, 'packages', 'cli', 'src', 'commands', 'serve.ts'), 'utf8')

  expect(options).toMatch(/^--max-semi-space-size=\d+$/)
  expect(image).toContain(`CMD ["node", "${options}", "packages/server/src/main.mjs"]`)
  expect(command).toContain(`'${options}'`)
})

test('a server loads few modules before it listens', async () => {
  ensureServer()
  const folder = await temporaryFolder('weight')
  const file = join(folder, 'modules')
  const preload = pathToFileURL(join(import.meta.dirname, 'support', 'count-modules.mjs')).href
  await using server = startServer(join(folder, 'data'), {
    SKILLRUN_API_KEY: 'the-key-of-this-test',
    MODULES_FILE: file,
    NODE_OPTIONS: `--import=${preload}`,
  })
  await server.printed(/Skillrun +http/)

  const text = await readFile(file, 'utf8')
  if (process.env['SKILLRUN_SHOW_WORK']) console.log(text)
  const loaded = text.trimEnd().split('\n')
  const bytes = loaded.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)

  expect(text).toContain('/packages/server/dist/server-serve.js')
  expect(loaded.length).toBeGreaterThan(10)
  expect(loaded.length).toBeLessThanOrEqual(most.modules)
  expect(bytes / 1e6).toBeLessThanOrEqual(most.megabytes)
})
