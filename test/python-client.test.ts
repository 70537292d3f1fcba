import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '..', 'clients', 'python')
/** Debian's: another one in the path may lack httpx. */
const python = '/usr/bin/python3'

const has = async (modules: string): Promise<boolean> =>
  run(python, ['-c', `import ${modules}`]).then(
    () => true,
    () => false,
  )
const canRun = process.env['REQUIRE_PYTHON'] === '1' || (await has('httpx'))
const canCheck = process.env['REQUIRE_PYTHON'] === '1' || (await has('httpx, mypy'))

const service = await opened(
  openTestService({
    env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.0/8', SKILLRUN_CALLBACK_SECRET: 'secret-of-the-python-test' },
  }),
)

/** Runs Python; throws with what it printed if it fails. */
async function runPython(args: readonly string[], cwd = folder): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    SKILLRUN_URL: service.url,
    SKILLRUN_API_KEY: service.key,
    SKILLRUN_CALLBACK_SECRET: 'secret-of-the-python-test',
  }
  const { stdout, stderr } = await run(python, [...args], { cwd, env }).catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`)
  })
  return stdout + stderr
}

test.skipIf(!canRun)('the tests of the Python client pass', { timeout: 300_000 }, async () => {
  expect(await runPython(['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', 'tests'])).toMatch(
    /\nOK\n$/,
  )
})

test.skipIf(!canRun)('the examples of its README run', { timeout: 60_000 }, async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/```python run\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  const printed: string[] = []
  for (const example of examples) {
    const code = example.replaceAll('http://127.0.0.1:8080', service.url).replaceAll('"…"', JSON.stringify(service.key))
    printed.push(await runPython(['-c', code], join(folder, '..', '..')))
  }
  expect(printed[0]).toBe("{'total': 1304.34}\n£1,304.34\n")
  expect(printed[1]).toBe(`[${Array(10).fill("{'total': 12.5}").join(', ')}]\n`)
})

test.skipIf(!canCheck)('its types hold under mypy --strict', { timeout: 300_000 }, async () => {
  const cache = await temporaryFolder('mypy')
  await symlink(join(folder, 'skillrun'), join(cache, 'skillrun'))
  const args = ['-m', 'mypy', '--strict', '--cache-dir', join(cache, 'cache'), 'skillrun', 'tests']
  expect(await runPython(args)).toMatch(/^Success: no issues found/)
})
