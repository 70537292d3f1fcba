import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { opened } from '../../../../test/support/opened.ts'
import { openTestService } from '../../../../test/support/service.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type Place, skillrun } from '../command-line.ts'

const folder = await temporaryFolder('cli', afterAll)
let place: Place

const schema = {
  type: 'object',
  properties: { total: { type: ['number', 'null'] } },
  required: ['total'],
}

const service = await opened(openTestService())
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  await writeFile(join(folder, 'schema.json'), JSON.stringify(schema))
})

test('the programs of a skill are compiled, listed with cost and savings, shown and deleted', async () => {
  const made = ['skills', 'create', '--name', 'totals', '-p', 'Read the total', '--schema', 'schema.json', '--json']
  const { id } = JSON.parse((await skillrun(made, place)).stdout)
  const none = await skillrun(['skills', 'programs', 'totals', '--compile'], place)
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no cases') })
  const cases = [1, 2, 3, 4, 5].map((n) => ({
    inputs: { note: { type: 'text', text: `Harbour Supplies\nHandling 3.50\nPayable ${100 + n}.25\nThank you` } },
    response: { total: 100 + n + 0.25 },
  }))
  expect((await service.call('POST', `/v1/skills/${id}/cases`, { body: { cases } })).status).toBe(201)

  const compiled = await skillrun(['skills', 'programs', 'totals', '--compile', '--json'], place)
  expect(compiled.code, compiled.stderr + compiled.stdout).toBe(0)
  const [program] = JSON.parse(compiled.stdout)
  expect(program).toMatchObject({ status: 'ready', origin: 'embedded', runs: 0 })
  const listed = await skillrun(['skills', 'programs', 'totals'], place)
  expect(listed.stdout).toMatch(/^ID +STATUS +BY +RUNS +WRONG +AT MOST +AGENT +PROGRAM +PAYS AFTER +SAVED/)
  expect(listed.stdout).toContain(`${program.id}  ready   embedded  0     0/0    -`)
  const source = await skillrun(['skills', 'programs', 'totals', '--source', program.id], place)
  expect(source.stdout).toContain('export default async function run')
  expect(await skillrun(['skills', 'programs', 'totals', '--delete', program.id], place)).toMatchObject({ code: 0 })
  expect(JSON.parse((await skillrun(['skills', 'programs', 'totals', '--json'], place)).stdout)).toEqual([])
})

test('a field that a program leaves to an agent is named, of the program and of an execution', async () => {
  const schema = {
    type: 'object',
    properties: { number: { type: 'string' }, total: { type: 'number' } },
    required: ['number', 'total'],
  }
  const made = { name: 'slips', description: 'Reads slips', prompt: 'Read the slip', json_schema: schema }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  const slip = (n: number) => ({
    note: { type: 'text', text: `Slip\nNumber: WS-${4100 + n}\nSum: ${300 + n}.50\nBye` },
  })
  const cases = Array.from({ length: 10 }, (_, n) => ({
    inputs: slip(n),
    // Two totals are not printed, and nothing says when.
    response: { number: `WS-${4100 + n}`, total: n % 5 === 4 ? 5_000 + n : 300 + n + 0.5 },
  }))
  expect((await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })).status).toBe(201)
  const compiled = await skillrun(['skills', 'programs', 'slips', '--compile'], place)
  expect(compiled.stdout + compiled.stderr).toMatch(/: leaves \/total to an agent\n/)
  const { json: ran } = await service.call('POST', '/v1/agent/execute', {
    body: {
      ...{ batch: false, model: 'svc-agent-2:auto', inputs: slip(20) },
      config: { execution_mode: 'program', skills: [{ skill_id: skill.id }] },
    },
  })
  expect(ran.response, ran.usage.message).toEqual({ number: 'WS-4120', total: 320.5 })
  const shown = await skillrun(['executions', 'get', ran.id], place)
  expect(shown.stdout).toMatch(/by program +\/number\nby an agent +\/total\n/)
})
