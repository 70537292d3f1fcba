import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'
import { zipOf } from './support/zips.ts'

const root = new URL('../', import.meta.url).pathname
const skills = ['invoice-extraction', 'receipt-extraction', 'table-extraction']

const service = await opened(openTestService())

async function zipOfFolder(name: string): Promise<Buffer> {
  const folder = join(root, 'skills', name)
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  const files = await Promise.all(
    paths.map(async ({ parentPath, name: file }): Promise<[string, Buffer]> => {
      const path = join(parentPath, file)
      return [path.slice(folder.length + 1), await readFile(path)]
    }),
  )
  return zipOf(Object.fromEntries(files))
}

test.each(skills)('%s is valid, and the embedded engine agrees with nearly all of its cases', async (name) => {
  const file = await service.upload(await zipOfFolder(name), `${name}.zip`)
  const text = await readFile(join(root, 'skills', name, 'SKILL.md'), 'utf8')
  const description = /^description: (.*)$/m.exec(text)?.[1]
  const made = await service.call('POST', '/v1/skills/create', { body: { file_id: file.id, name, description } })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  expect(made.json.review).toEqual([])
  const begun = await service.call('POST', `/v1/skills/${made.json.id}/evaluate`)
  const place = `/v1/skills/${made.json.id}/evaluations/${begun.json.id}`
  let evaluation = await service.call('GET', place)
  while (evaluation.json.status === 'running') {
    evaluation = await service.call('GET', place)
    await lookAgain()
  }
  const { arms, results } = evaluation.json.report
  expect(arms.with.failed, JSON.stringify(results)).toBe(0)
  expect(arms.with.agreement).toBeGreaterThan(0.9)
})

test('the skill, sent inline, answers the sample invoice completely', async () => {
  const data = (await zipOfFolder('invoice-extraction')).toString('base64')
  const sample = await service.upload(await readFile(join(root, 'samples', 'invoice.pdf')), 'invoice.pdf')
  const json = await service.execute({
    inputs: { invoice: { type: 'input_file', file_id: sample.id } },
    config: { skills: [{ type: 'inline', source: { data } }] },
  })
  expect(json).toMatchObject({
    status: 'completed',
    response: { invoice_number: 'KR-2026-0318', due_date: '2026-04-02', total: 1304.34, currency: 'GBP' },
    skills: [{ id: null, name: 'invoice-extraction' }],
  })
})
