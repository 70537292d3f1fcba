import { expect, test } from 'vitest'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { zipOf } from './support/zips.ts'

const model = await opened(startMockModel({ script: () => ({ text: '{}' }) }))
const service = await opened(openTestService({ file: fileOfSmallModel(model.baseUrl) }))

/** How many cases of a skill are to learn from and to judge by, as the refusal of an improvement says. */
async function halvesOf(id: string): Promise<readonly number[]> {
  const body = { model: 'svc-agent-1:fast', proposals: 20 }
  const { status, json } = await service.call('POST', `/v1/skills/${id}/improve`, { body })
  expect([status, json.detail], JSON.stringify(json)).toEqual([409, expect.stringContaining('to judge by')])
  const [, training, judging] = /(\d+) can be learned from and (\d+) judged by/.exec(json.detail) ?? []
  return [Number(training), Number(judging)]
}

test('one document is never in both halves of an improvement and counts once, however often and in whatever way it is given', async () => {
  const text = 'Harbour Supplies\nThis is order A1\n'
  const bytes = Buffer.from(text)
  const bundle = zipOf({
    'SKILL.md': '---\nname: copies\ndescription: Reads orders\n---\nRead the order',
    'schema.json': JSON.stringify({ type: 'object', properties: { order: { type: 'string' } } }),
    'notes/a1.txt': text,
    'evals/evals.json': JSON.stringify([{ files: ['notes/a1.txt'], response: { order: 'A1' } }]),
  })
  const { id: zip } = await service.upload(bundle, 'copies.zip')
  const made = { file_id: zip, name: 'copies', description: 'Reads orders' }
  const { status, json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  expect(status, JSON.stringify(skill)).toBe(201)
  const uploads = []
  for (let n = 0; n < 6; n += 1) uploads.push(await service.upload(bytes, `v${n}.txt`))
  const url = `data:text/plain;base64,${bytes.toString('base64')}`
  const inputs = [
    ...uploads.map(({ id }, n) => ({ [n % 2 ? 'file' : 'note']: { type: 'input_file', file_id: id } })),
    { files: uploads.map(({ id }) => ({ type: 'input_file', file_id: id })) },
    { file: url },
    { file: { type: 'file_url', file_url: { url } } },
    { note: text },
    { note: { type: 'text', text } },
  ]
  const addCases = async (cases: object[]) => {
    const added = await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases } })
    expect(added.status, JSON.stringify(added.json)).toBe(201)
  }
  await addCases(inputs.map((one) => ({ inputs: one, response: { order: 'A1' } })))
  const halves = await halvesOf(skill.id)
  expect(halves.toSorted()).toEqual([0, 1])
  // Other documents are divided.
  await addCases(
    Array.from({ length: 8 }, (_, n) => ({ inputs: { note: `This is order B${n}` }, response: { order: `B${n}` } })),
  )
  const [training = 0, judging = 0] = await halvesOf(skill.id)
  expect(training + judging).toBe(9)
  expect(Math.min(training, judging)).toBeGreaterThan(0)
})

test('a case with a file of a case to judge by is not learned from, unless all cases have that file', async () => {
  const made = { name: 'pairs', description: 'Reads orders', prompt: 'Read the order' }
  const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
  const fileOf = async (text: string) => {
    const { id } = await service.upload(Buffer.from(text), 'order.txt')
    return { type: 'input_file', file_id: id }
  }
  const addCases = async (cases: readonly object[]) => {
    const body = { cases: cases.map((inputs) => ({ inputs, response: { order: 'A1' } })) }
    expect((await service.call('POST', `/v1/skills/${skill.id}/cases`, { body })).status).toBe(201)
  }
  const terms = await fileOf('Terms of all orders')
  // One order, asked with eight texts: what is judged by must not be learned from.
  const order = await fileOf('This is order C0')
  await addCases(Array.from({ length: 8 }, (_, n) => ({ order, terms, note: `question ${n}` })))
  const one = await fileOf('This is order C1')
  await addCases([{ order: one, terms, note: 'question' }])
  const [training = 0, judging = 0] = await halvesOf(skill.id)
  expect(training).toBeLessThanOrEqual(1)
  expect(judging).toBeGreaterThan(0)
  // Orders of their own are divided, although all have the terms.
  const orders = await Promise.all(Array.from({ length: 12 }, (_, n) => fileOf(`This is order D${n}`)))
  await addCases(orders.map((own) => ({ order: own, terms })))
  const [more = 0, moreJudging = 0] = await halvesOf(skill.id)
  expect(more - training + (moreJudging - judging)).toBe(orders.length)
  expect(more).toBeGreaterThan(training)
  expect(moreJudging).toBeGreaterThan(judging)
})
