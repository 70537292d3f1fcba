import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { opened } from '../../../../test/support/opened.ts'
import { openTestService } from '../../../../test/support/service.ts'
import { type Place, skillrun } from '../command-line.ts'

let folder: string
let place: Place

const service = await opened(openTestService())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-cli-'))
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  return () => rm(folder, { recursive: true, force: true })
})

const files: Readonly<Record<string, string>> = {
  'SKILL.md': '---\nname: invoices\ndescription: Reads invoices.\n---\n\nSee references/a.md\n',
  'references/a.md': 'Más\r\n',
  'schema.json': '{"type":"object","properties":{"total":{"type":"number"}}}',
}

async function writeSkill(name = 'skill', more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries({ ...files, ...more })) {
    await mkdir(join(folder, name, path, '..'), { recursive: true })
    await writeFile(join(folder, name, path), text)
  }
}

test('a folder becomes a skill, and its download is identical', async () => {
  await writeSkill('skill', { '.git/config': 'x', 'node_modules/a.js': 'x' })
  await chmod(join(folder, 'skill', 'references/a.md'), 0o750)
  const made = await skillrun(['skills', 'create', 'skill'], place)
  expect(made).toMatchObject({ code: 0 })
  expect(made.stdout).toMatch(/^name +invoices$/m)
  const fetched = await skillrun(['skills', 'download', 'invoices', '-o', 'back', '--json'], place)
  expect(JSON.parse(fetched.stdout).unpacked).toEqual(Object.keys(files))
  for (const [path, text] of Object.entries(files))
    expect(await readFile(join(folder, 'back', path), 'utf8')).toBe(text)
  const isExecutable = async (path: string) => ((await stat(join(folder, 'back', path))).mode & 0o100) !== 0
  expect([await isExecutable('references/a.md'), await isExecutable('SKILL.md')]).toEqual([true, false])
  expect(await skillrun(['skills', 'download', 'invoices', '-o', 'back'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is not empty/),
  })
})

/** A zip of texts; a path with a target is a link. */
async function zipped(entries: Readonly<Record<string, string>>, links: readonly string[] = []): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(entries))
    zip.addBuffer(Buffer.from(text), path, links.includes(path) ? { mode: 0o120777 } : {})
  zip.end()
  return buffer(zip.outputStream)
}
const skillText = (name: string) => `---\nname: ${name}\ndescription: Reads ${name}.\n---\n\nRead.\n`

test('a zip becomes a skill, and the archive of a repository each skill in it, from a file and from a URL', async () => {
  await writeFile(join(folder, 'one.zip'), await zipped({ ...files, 'SKILL.md': skillText('zipped') }))
  const one = await skillrun(['skills', 'create', 'one.zip', '--json'], place)
  expect(JSON.parse(one.stdout)).toMatchObject({ name: 'zipped', number: 1, json_schema: { type: 'object' } })

  const repository = await zipped({
    'repository-main/README.md': 'Skills',
    'repository-main/skills/letters/SKILL.md': skillText('letters'),
    'repository-main/skills/letters/references/a.md': 'A',
    'repository-main/skills/letters/node_modules/x/SKILL.md': 'x',
    'repository-main/skills/orders/SKILL.md': skillText('orders'),
  })
  const site = createServer((request, reply) => {
    if (request.url === '/main.zip') reply.end(repository)
    else if (request.url === '/SKILL.md') reply.end(skillText('alone'))
    else reply.writeHead(request.url === '/page' ? 200 : 404).end('<html>')
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => new Promise<void>((closed) => site.close(() => closed())))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const all = await skillrun(['skills', 'create', `${url}/main.zip`, '--json'], place)
  expect(JSON.parse(all.stdout)).toMatchObject([{ name: 'letters' }, { name: 'orders' }])
  const { stdout } = await skillrun(['skills', 'download', 'letters', '--json', '-o', 'letters'], place)
  expect(JSON.parse(stdout).unpacked).toEqual(['SKILL.md', 'references/a.md'])
  const alone = await skillrun(['skills', 'create', `${url}/SKILL.md`, '--json'], place)
  expect(JSON.parse(alone.stdout)).toMatchObject({ name: 'alone' })

  await writeFile(join(folder, 'linked.zip'), await zipped({ 'SKILL.md': skillText('a'), b: '/etc/passwd' }, ['b']))
  await writeFile(join(folder, 'none.zip'), await zipped({ 'README.md': 'x' }))
  await writeFile(join(folder, 'broken.zip'), repository.subarray(0, 300))
  for (const [source, said, code] of [
    [`${url}/nothing.zip`, 'answered 404', 2],
    [`${url}/page`, 'neither a zip nor a SKILL.md', 2],
    ['http://127.0.0.1:1/x.zip', 'cannot be fetched', 3],
    ['linked.zip', 'not a regular file', 2],
    ['none.zip', 'does not contain SKILL.md', 2],
    ['broken.zip', 'cannot be unpacked', 2],
  ] as const)
    expect(await skillrun(['skills', 'create', source], place)).toMatchObject({
      code,
      stderr: expect.stringContaining(said),
    })
  expect(await skillrun(['skills', 'create', `${url}/main.zip`, '--name', 'x'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has 2 skills (letters, orders)'),
  })
})

test('a prompt becomes a skill; it is listed, shown, updated and deleted', async () => {
  await writeFile(join(folder, 'schema.json'), files['schema.json'] ?? '')
  const args = ['-p', 'Extract the totals', '--schema', 'schema.json', '--name', 'totals', '--json']
  const made = JSON.parse((await skillrun(['skills', 'create', ...args], place)).stdout)
  expect(made).toMatchObject({ name: 'totals', status: 'completed', json_schema: { type: 'object' } })
  expect((await skillrun(['skills', 'list'], place)).stdout).toMatch(
    new RegExp(`^${made.id}  ${made.skill_version}`, 'm'),
  )
  const updated = await skillrun(['skills', 'update', 'totals', '--description', 'All totals', '--json'], place)
  expect(JSON.parse(updated.stdout)).toMatchObject({ number: 2, description: 'All totals', is_public: false })
  expect((await skillrun(['skills', 'get', 'totals:1'], place)).stdout).toMatch(new RegExp(`^id +${made.id}$`, 'm'))
  expect((await skillrun(['skills', 'versions', 'totals'], place)).stdout.split('\n')).toHaveLength(4)
  expect((await skillrun(['skills', 'delete', made.id], place)).code).toBe(0)
  expect(await skillrun(['skills', 'get', made.id], place)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no skill/),
  })
})

test('a session becomes a skill once its run is verified', async () => {
  const body = {
    batch: false,
    inputs: { text: 'Total: 12.50' },
    config: { prompt: 'Read the total', json_schema: JSON.parse(files['schema.json'] ?? '') },
    metadata: { session_id: 'from-cli' },
  }
  expect((await service.call('POST', '/v1/agent/execute', { body })).json.status).toBe('completed')
  const made = await skillrun(['skills', 'create', '--session', 'from-cli', '--json'], place)
  expect(JSON.parse(made.stdout)).toMatchObject({ status: 'completed', proof: { agreement: 1 } })
  expect(made.code).toBe(0)
})

test.each([
  ['nothing', [], /exactly one of a folder/],
  ['two ways', ['skill', '-p', 'x'], /exactly one of a folder/],
  ['a folder that is not there', ['nowhere'], /is not a folder/],
  ['a folder without SKILL.md', ['.'], /does not contain SKILL\.md/],
])('%s creates no skill', async (_what, args, why) => {
  await writeSkill()
  expect(await skillrun(['skills', 'create', ...args], place)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(why),
  })
})

test('a folder without SKILL.md is refused, whatever else it contains', async () => {
  await writeSkill()
  await symlink('/etc/passwd', join(folder, 'link'))
  const refused = await skillrun(['skills', 'create', '.'], place)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/does not contain SKILL\.md/) })
})

test('a folder with a link is not sent', async () => {
  await writeSkill()
  await symlink('/etc/passwd', join(folder, 'skill', 'link'))
  const refused = await skillrun(['skills', 'create', 'skill'], place)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/skill\/link is not a regular file/) })
})
