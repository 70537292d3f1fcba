import { beforeAll, describe, expect, test } from 'vitest'
import {
  carriedOut,
  needingField,
  needingModel,
  smallTalk,
} from '../packages/reader/src/fields/testing/instructions.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

let fileId: string

const service = await opened(openTestService())
beforeAll(async () => {
  fileId = (await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')).id
})

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }

const nullable = { type: ['string', 'null'] }
/** More fields, for instructions that name them. */
const wide = {
  type: 'object',
  properties: {
    ...invoiceSchema.properties,
    due_date: nullable,
    vendor: { type: 'object', properties: { name: nullable, address: nullable } },
    tax: { type: ['number', 'null'] },
    line_items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          description: nullable,
          quantity: { type: ['number', 'null'] },
          unit_price: { type: ['number', 'null'] },
          amount: { type: ['number', 'null'] },
        },
      },
    },
  },
}

const execute = (config: object, inputs: object = { file: { type: 'input_file', file_id: fileId } }) =>
  service.execute({ inputs, config })

const codeOf = (record: { status: string; error: { code: string } | null }) => `${record.status} ${record.error?.code}`

async function madeSkill(body: object): Promise<string> {
  const { json, status } = await service.call('POST', '/v1/skills/create', { body })
  expect([status, json.status]).toEqual([201, 'completed'])
  return json.id
}

const perTest = 25

/** Instructions by kind, split into tests that a slow machine completes in time. */
const inParts = (lists: Readonly<Record<string, readonly string[]>>): [title: string, part: readonly string[]][] =>
  Object.entries(lists).flatMap(([title, all]) =>
    Array.from({ length: Math.ceil(all.length / perTest) }, (_, at): [string, readonly string[]] => [
      `${title}, from ${at * perTest + 1}`,
      all.slice(at * perTest, (at + 1) * perTest),
    ]),
  )

describe('without a language model, requests that need one are refused', () => {
  test.each(inParts({ ...needingModel, 'fields that the schema lacks': needingField, greetings: smallTalk }))(
    'executions, %s',
    async (_title, instructions) => {
      const ends = await Promise.all(
        instructions.map(async (prompt) => {
          const record = await execute({ prompt, json_schema: invoiceSchema })
          return { prompt, end: codeOf(record), response: record.response, steps: record.usage.steps }
        }),
      )
      expect(
        ends.filter(({ end, response, steps }) => end !== 'failed needs_model' || response !== null || steps !== 0),
      ).toEqual([])
    },
  )

  test("an enabled tool does not make a model's instruction acceptable", async () => {
    for (const json_schema of [undefined, invoiceSchema]) {
      const record = await execute({
        prompt: 'Redact all names and the IBAN',
        tool_names: ['document.redact'],
        json_schema,
      })
      expect(codeOf(record)).toBe('failed needs_model')
      expect(record.error.message).toMatch(/"Redact" in the prompt .*OPENAI_API_KEY/)
    }
  })

  test('an instruction among the inputs counts like the prompt', async () => {
    const inputs = {
      file: { type: 'input_file', file_id: fileId },
      wish: { type: 'text', text: 'Translate the descriptions into French' },
    }
    const record = await execute({ prompt: 'Extract the invoice', json_schema: invoiceSchema }, inputs)
    expect(codeOf(record)).toBe('failed needs_model')
  })

  test('nothing is fetched or read for an impossible request', async () => {
    const inputs = { file: { type: 'file_url', file_url: { url: 'http://127.0.0.1:9/never.pdf' } } }
    expect(codeOf(await execute({ prompt: 'Draw a chart', json_schema: invoiceSchema }, inputs))).toBe(
      'failed needs_model',
    )
  })

  test('the rule also holds for a skill made from a prompt, with and without a schema', async () => {
    const work = { description: 'Works', json_schema: invoiceSchema }
    const bad = await madeSkill({ ...work, name: 'redacts', prompt: 'Read the invoice. Redact the IBAN.' })
    const plain = await madeSkill({ description: 'Works', name: 'poet', prompt: 'Write a poem about the invoice' })
    for (const skill_id of [bad, plain])
      expect(codeOf(await execute({ skills: [{ skill_id }] }))).toBe('failed needs_model')
    const good = await madeSkill({
      ...work,
      name: 'reads',
      prompt: '# Invoices\n\nRead the invoice.\n\n- `total`: what is due in all, sorted out by hand',
    })
    expect(await execute({ skills: [{ skill_id: good }] })).toMatchObject({ status: 'completed', response: answer })
    expect(codeOf(await execute({ prompt: 'And translate it', skills: [{ skill_id: good }] }))).toBe(
      'failed needs_model',
    )
  })

  test('an author may declare that long instructions are only about extraction; new instructions are checked again', async () => {
    const schema = JSON.stringify(invoiceSchema)
    const body = 'Customer numbers and delivery notes have numbers of their own and are not it.'
    const front = (task: string) =>
      `---\nname: declared${task.length}\ndescription: Reads\nmetadata:\n  owner: us\n${task}---\n\n${body}\n`
    const ids: string[] = []
    for (const task of ['', '  task: extract\n']) {
      const zip = zipOf({ 'SKILL.md': front(task), 'schema.json': schema })
      const file_id = (await service.upload(zip, 'skill.zip')).id
      ids.push(await madeSkill({ file_id, name: `declared${task.length}`, description: 'Reads' }))
    }
    const [undeclared, declared] = ids
    expect(codeOf(await execute({ skills: [{ skill_id: undeclared }] }))).toBe('failed needs_model')
    expect(await execute({ skills: [{ skill_id: declared }] })).toMatchObject({ status: 'completed', response: answer })
    const updated = await service.call('POST', `/v1/skills/${declared}/update`, {
      body: { prompt: 'Translate the invoice.' },
    })
    expect(codeOf(await execute({ skills: [{ skill_id: updated.json.id }] }))).toBe('failed needs_model')
  })
})

describe('a chat without a language model', () => {
  const chat = (body: object) => service.call('POST', '/v1/chat/completions', { body })
  const question = [{ role: 'user', content: 'Why is the sky blue?' }]

  test('is refused with needs_model, with or without skills, with a schema that the message has no values for, and with a system message that asks for work', async () => {
    const bare = await madeSkill({ name: 'bare', description: 'Reads', prompt: 'Read the document' })
    const filled = await madeSkill({
      name: 'filled',
      description: 'Reads',
      prompt: 'Read the invoice',
      json_schema: invoiceSchema,
    })
    const invoiceText = 'Invoice number: INV-7\nTotal: EUR 5.00'
    const bodies = [
      { messages: question },
      { messages: question, skills: [{ skill_id: bare }] },
      { messages: question, skills: [{ skill_id: filled }] },
      {
        messages: [
          { role: 'system', content: 'Translate everything into French.' },
          { role: 'user', content: invoiceText },
        ],
        skills: [{ skill_id: filled }],
      },
      {
        messages: [
          { role: 'user', content: 'Translate what comes next' },
          { role: 'user', content: invoiceText },
        ],
        skills: [{ skill_id: filled }],
      },
    ]
    const asked = [...needingField, ...smallTalk].map((content) => ({
      messages: [{ role: 'user', content }],
      skills: [{ skill_id: filled }],
    }))
    const replies = await Promise.all([...bodies, ...asked].map(async (body) => ({ body, reply: await chat(body) })))
    expect(replies.filter(({ reply }) => reply.status !== 400 || reply.json.error?.code !== 'needs_model')).toEqual([])
    const read = await chat({ messages: [{ role: 'user', content: invoiceText }], skills: [{ skill_id: filled }] })
    expect(JSON.parse(read.json.choices[0].message.content)).toMatchObject({ invoice_number: 'INV-7', total: 5 })
  })
})

describe('what rules can do still works', () => {
  test('tool calls written out in the prompt are made, each as a step', async () => {
    const call = `document.search(${JSON.stringify({ input: 'file', query: 'INV-2041' })})`
    const one = await execute({ prompt: call })
    expect([one.status, JSON.stringify(one.response)]).toEqual(['completed', expect.stringContaining('INV-2041')])
    const two = await execute({ prompt: `${call}\ncore.calculate {"formulas": ["120 + 24"]}` })
    expect(two.response).toEqual([one.response, expect.anything()])
    expect(JSON.stringify(two.response[1])).toContain('144')
    const steps = (await service.call('GET', `/v1/agent/executions/${two.id}/steps`)).json
    expect(steps.map(({ name }: { name: string }) => name)).toEqual([
      'document.read',
      'document.search',
      'core.calculate',
    ])
    const bad = await execute({ prompt: 'core.calculate({"formula": "1"})' })
    expect([codeOf(bad), bad.error.message]).toEqual(['failed tool_failed', expect.stringContaining('core.calculate')])
    expect(codeOf(await execute({ prompt: call, tool_names: ['core.calculate'] }))).toBe('failed unknown_tool')
    expect(codeOf(await execute({ prompt: `${call} and translate it` }))).toBe('failed needs_model')
  })

  test.each(inParts({ 'requests to read': carriedOut.withSchema }))('%s', async (_title, instructions) => {
    const ends = await Promise.all(
      instructions.map(async (prompt) => ({
        prompt,
        record: await execute({ prompt, json_schema: wide }),
      })),
    )
    expect(ends.filter(({ record }) => record.status !== 'completed' || record.response.total !== 144)).toEqual([])
  })

  test('without a schema: text, tables and facts; requested names must be in the document', async () => {
    expect(await execute({ prompt: 'Extract the text' })).toMatchObject({
      status: 'completed',
      response: { text: expect.stringContaining('INV-2041') },
    })
    expect(await execute({ prompt: 'Extract the total' })).toMatchObject({ status: 'completed', warnings: [] })
    expect(await execute({ prompt: 'Extract the total and the IBAN' })).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'not_found', message: 'The inputs contain nothing named "iban".' }],
    })
    for (const prompt of ['Extract the IBAN', 'Extract the net total', 'Extract the amount', 'Extract the tables'])
      expect([prompt, codeOf(await execute({ prompt }))]).toEqual([prompt, 'failed nothing_found'])
    expect(await execute({ prompt: 'Extract the invoice number' })).toMatchObject({ status: 'completed', warnings: [] })
    expect(codeOf(await execute({ prompt: 'Extract the text' }, { order: { total: 5 } }))).toBe('failed nothing_found')
  })
})
