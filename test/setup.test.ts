import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

/** A checkout with the set-up scripts and an empty lockfile, beside a folder that can be linked into it. */
async function makeCheckout() {
  const folder = await temporaryFolder('checkout')
  const checkout = join(folder, 'checkout')
  await mkdir(join(checkout, 'scripts'), { recursive: true })
  for (const name of ['setup.mjs', 'client.mjs', 'console.mjs', 'server.mjs', 'built.mjs']) {
    await cp(join('scripts', name), join(checkout, 'scripts', name))
  }
  const named = { name: 'checkout', version: '1.0.0' }
  await writeFile(join(checkout, 'package.json'), JSON.stringify(named))
  await writeFile(
    join(checkout, 'package-lock.json'),
    JSON.stringify({ ...named, lockfileVersion: 3, packages: { '': named } }),
  )
  const setUp = () => spawnSync(process.execPath, [join(checkout, 'scripts', 'setup.mjs')], { encoding: 'utf8' })
  return { checkout, folder, setUp }
}

test('set-up prints its progress on standard error, because standard output belongs to the command after it', async () => {
  const { setUp } = await makeCheckout()
  const { stdout, stderr } = setUp()
  expect(stderr).toContain('Installing packages')
  expect(stdout).toBe('')
})

test('packages that are linked into a checkout are never replaced through the link', async () => {
  const { checkout, folder, setUp } = await makeCheckout()
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(join(elsewhere, 'dear'), { recursive: true })
  await writeFile(join(elsewhere, 'dear', 'index.js'), 'export {}')
  await writeFile(join(elsewhere, '.package-lock.json'), JSON.stringify({ packages: { 'node_modules/dear': {} } }))
  await symlink(elsewhere, join(checkout, 'node_modules'))

  const { status, stderr } = setUp()

  expect(await readFile(join(elsewhere, 'dear', 'index.js'), 'utf8')).toBe('export {}')
  expect(stderr).toContain('is a link to')
  expect(stderr).toContain(elsewhere)
  expect(status).toBe(1)
})

test("a package whose folder is missing is installed again, even if npm's list names it", async () => {
  const { checkout, setUp } = await makeCheckout()
  const part = join(checkout, 'parts', 'one')
  await mkdir(part, { recursive: true })
  await writeFile(join(part, 'package.json'), JSON.stringify({ name: 'one', version: '1.0.0' }))
  const named = { name: 'checkout', version: '1.0.0', workspaces: ['parts/*'] }
  await writeFile(join(checkout, 'package.json'), JSON.stringify(named))
  const packages = {
    '': named,
    'node_modules/one': { resolved: 'parts/one', link: true },
    'parts/one': { version: '1.0.0' },
  }
  await writeFile(
    join(checkout, 'package-lock.json'),
    JSON.stringify({ name: 'checkout', version: '1.0.0', lockfileVersion: 3, packages }),
  )
  expect(setUp().stderr).toContain('Installing packages')
  expect(setUp().stderr).not.toContain('Installing packages')
  await rm(join(checkout, 'node_modules', 'one'))
  expect(setUp().stderr).toContain('Installing packages')
  expect(JSON.parse(await readFile(join(checkout, 'node_modules', 'one', 'package.json'), 'utf8')).name).toBe('one')
})

test("the client's types are made when they are missing or older than openapi.json", async () => {
  const { checkout, setUp } = await makeCheckout()
  for (const name of ['scripts/client-types.ts', 'packages/core/src/json.ts'])
    await cp(name, join(checkout, name), { recursive: true })
  const types = join(checkout, 'packages', 'client', 'src', 'openapi.ts')
  await mkdir(dirname(types), { recursive: true })
  for (const type of ['string', 'number']) {
    const schemas = { Thing: { type: 'object', properties: { size: { type } }, additionalProperties: false } }
    await writeFile(join(checkout, 'openapi.json'), JSON.stringify({ components: { schemas }, paths: {} }))
    expect(setUp().status).toBe(0)
    expect(await readFile(types, 'utf8')).toContain(`readonly size?: ${type} | undefined`)
  }
})
