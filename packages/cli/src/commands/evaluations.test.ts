import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { opened } from '../../../../test/support/opened.ts'
import { openTestService } from '../../../../test/support/service.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type Place, skillrun } from '../command-line.ts'
import { programFolder } from '../paths.ts'

const folder = await temporaryFolder('cli', afterAll)
let place: Place

const service = await opened(openTestService())
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  await cp(join(programFolder, 'skills', 'table-extraction'), join(folder, 'tables'), { recursive: true })
  await cp(join(programFolder, 'samples', 'invoice.pdf'), join(folder, 'invoice.pdf'))
})

test('a built-in skill runs by its name, and a skill folder is sent inline', async () => {
  const shipped = await skillrun(['execute', '-i', 'invoice.pdf', '--skill', 'invoice-extraction'], place)
  expect(shipped).toMatchObject({ code: 0 })
  expect(JSON.parse(shipped.stdout)).toMatchObject({ invoice_number: 'KR-2026-0318', total: 1304.34 })
  const own = await skillrun(['execute', '-i', 'tables/evals/sales.pdf', '--skill', 'tables', '--record'], place)
  expect(JSON.parse(own.stdout)).toMatchObject({
    response: { tables: [{ title: 'Sales by region' }] },
    skills: [{ id: null, name: 'table-extraction' }],
  })
  expect(await skillrun(['execute', '-i', 'invoice.pdf', '--skill', './nowhere'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere is not a folder'),
  })
  expect(await skillrun(['execute', '-i', 'invoice.pdf', '--skill', 'nowhere'], place)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere'),
  })
})

test('a stored skill is selected by --skill-id, evaluated, and given cases', async () => {
  expect(await skillrun(['skills', 'create', 'tables'], place)).toMatchObject({ code: 0 })
  const run = await skillrun(
    ['execute', '-i', 'tables/evals/sales.pdf', '--skill-id', 'table-extraction:1', '--record'],
    place,
  )
  const { id, response } = JSON.parse(run.stdout)
  const added = await skillrun(['skills', 'cases', 'add', 'table-extraction', '--execution', id, '--json'], place)
  expect(JSON.parse(added.stdout)).toMatchObject([{ execution_id: id, response }])
  await writeFile(join(folder, 'right.json'), JSON.stringify({ tables: [] }))
  const input = ['-i', 'tables/evals/sales.pdf', '--response', 'right.json', '--json']
  const wrong = await skillrun(['skills', 'cases', 'add', 'table-extraction', ...input], place)
  const listed = await skillrun(['skills', 'cases', 'list', 'table-extraction'], place)
  expect(listed.stdout.split('\n')).toHaveLength(1 + 2 + 3 + 1)
  const evaluated = await skillrun(['skills', 'evaluate', 'table-extraction'], place)
  expect(evaluated).toMatchObject({ code: 0 })
  expect(evaluated.stdout).toMatch(/^with +8\d\.\d % +\d+\/\d+ +0 /m)
  const earlier = await skillrun(['skills', 'evaluations', 'table-extraction'], place)
  const [, evaluationId = ''] = /^(\S{36}) +1 +completed +\S+ \S+ +\d+ +8\d\.\d %$/m.exec(earlier.stdout) ?? []
  const shown = await skillrun(['skills', 'evaluations', 'table-extraction', evaluationId], place)
  expect(shown).toMatchObject({ code: 0, stdout: evaluated.stdout })
  expect(evaluated.stdout).toMatch(/^\/tables\/\*\/columns\/\* /m)
  const [{ id: caseId }] = JSON.parse(wrong.stdout)
  expect(await skillrun(['skills', 'cases', 'delete', 'table-extraction', caseId], place)).toMatchObject({ code: 0 })
  const again = await skillrun(['skills', 'evaluate', 'table-extraction', '--json'], place)
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'completed', report: { arms: { with: { agreement: 1 } } } })
})

test('the report of an evaluation says why runs failed, and names an execution', async () => {
  await writeFile(
    join(folder, 'slip.json'),
    '{"type": "object", "properties": {"total": {"type": ["number", "null"]}}}',
  )
  const prompt = ['-p', 'Translate the slip into French.', '--schema', 'slip.json', '--name', 'slips']
  expect(await skillrun(['skills', 'create', ...prompt], place)).toMatchObject({ code: 0 })
  await writeFile(join(folder, 'right.json'), '{"total": 12.5}')
  for (const number of [1, 2]) {
    const added = ['--text', `Slip ${number}\nTotal: 12.50`, '--response', 'right.json']
    expect(await skillrun(['skills', 'cases', 'add', 'slips', ...added], place)).toMatchObject({ code: 0 })
  }
  const { stdout } = await skillrun(['skills', 'evaluate', 'slips'], place)
  const [, id = ''] = /^with +needs_model +2 +(\S{36})$/m.exec(stdout) ?? []
  const { stdout: record } = await skillrun(['executions', 'get', id, '--json'], place)
  expect(JSON.parse(record)).toMatchObject({ status: 'failed', error: { code: 'needs_model' } })
})
