import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { until } from './support/until.ts'
import { filesOfZip } from './support/zips.ts'

const service = await opened(openTestService())
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }

async function execute(session: string, config: object, inputs: object = { invoice: fileItem() }) {
  return service.execute({ batch: false, inputs, config, metadata: { session_id: session } })
}
const fileItem = () => ({ type: 'input_file', file_id: invoice.id })

const create = (body: object) => service.call('POST', '/v1/skills/create', { body })

/** Polls a skill until it has ended; every request waits for the server's reply. */
async function proved(id: string) {
  return until(async () => {
    const { json } = await service.call('GET', `/v1/skills/${id}`)
    return json.status === 'completed' || json.status === 'failed' ? json : undefined
  })
}

describe('a skill from a session', () => {
  test('is pending, then verified by its own run, and then answers as the session did', async () => {
    await execute('s1', { prompt: 'Extract the invoice fields', json_schema: invoiceSchema })
    const last = await execute('s1', { prompt: 'Give the total with tax', json_schema: invoiceSchema })
    expect(last.response).toEqual(answer)
    const made = await create({ session_id: 's1' })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'give-total-tax',
      description: 'Give the total with tax',
      status: 'pending',
      number: null,
      session_id: 's1',
      json_schema: invoiceSchema,
      proof: { original_id: last.id, agreement: null },
    })
    expect((await service.call('POST', '/v1/skills/lookup', { body: { name: 'give-total-tax' } })).json.id).toBe(
      made.json.id,
    )
    const done = await proved(made.json.id)
    expect(done).toMatchObject({
      status: 'completed',
      number: 1,
      is_latest: true,
      error: null,
      proof: { agreement: 1 },
    })
    const proof = await service.call('GET', `/v1/agent/executions/${done.proof.execution_id}`)
    expect(proof.json).toMatchObject({ status: 'completed', response: answer, session_id: null })
    const again = await execute('other', { skills: [{ skill_id: 'give-total-tax' }] })
    expect(again).toMatchObject({ response: answer, skills: [{ id: made.json.id, bundle_sha256: done.bundle_sha256 }] })
  })

  test('contains the instructions, the schema and the cases of the session', async () => {
    await execute('s2', { prompt: 'Read the invoice', json_schema: invoiceSchema })
    await execute('s2', { prompt: 'What is written here?' }, { note: 'Hello' }).catch(() => undefined)
    await execute('s2', { prompt: 'Read  the INVOICE', json_schema: invoiceSchema })
    const made = await create({ session_id: 's2', name: 'reader', description: 'Reads.' })
    const { json } = await service.call('GET', `/v1/skills/${made.json.id}/download`)
    const files = await filesOfZip(Buffer.from(await (await fetch(json.download_url)).arrayBuffer()))
    expect([...files.keys()]).toEqual(['SKILL.md', 'evals/evals.json', 'schema.json'])
    expect(files.get('SKILL.md')?.toString()).toBe('---\nname: reader\ndescription: Reads.\n---\n\nRead  the INVOICE\n')
    const { evals } = JSON.parse(String(files.get('evals/evals.json')))
    expect(evals).toMatchObject([
      { inputs: { invoice: fileItem() }, response: answer },
      { inputs: { invoice: fileItem() }, response: answer },
    ])
    expect((await proved(made.json.id)).status).toBe('completed')
  })

  test('is not given a name that an unverified skill has', async () => {
    const gone = await service.upload(await makePdf([invoiceLines]), 'gone.pdf')
    const names = []
    for (const [file_id, prompt] of [
      [gone.id, 'Read the invoice'],
      [invoice.id, 'Read the whole invoice'],
    ] as const) {
      const inputs = { invoice: { type: 'input_file', file_id } }
      await execute(file_id, { prompt, json_schema: invoiceSchema }, inputs)
      await execute(file_id, { prompt: 'Find the total', json_schema: invoiceSchema }, inputs)
      await service.call('DELETE', `/v1/files/${gone.id}`)
      const { json } = await create({ session_id: file_id })
      await proved(json.id)
      names.push(json.name)
    }
    expect(names).toEqual(['find-total', expect.stringMatching(/^find-total-[0-9a-f]{6}$/)])
  })

  test('is also created from answers of binary documents', async () => {
    const file = await service.upload(Buffer.from('{"name":"A\\u0000b\\ud800","total":5}'), 'odd.json')
    const json_schema = { type: 'object', properties: { name: { type: ['string', 'null'] } } }
    const inputs = { a: { type: 'input_file', file_id: file.id } }
    const { response } = await execute('s-odd', { prompt: 'Read the name', json_schema }, inputs)
    expect(response).toEqual({ name: 'A\ufffdb\ufffd' })
    const made = await create({ session_id: 's-odd' })
    expect(made.status).toBe(201)
    expect(await proved(made.json.id)).toMatchObject({ status: 'completed', proof: { agreement: 1 } })
  })

  test('contains no inputs and answers of the workspace when public', async () => {
    await execute('s3', { prompt: 'Read all fields', json_schema: invoiceSchema })
    const made = await create({ session_id: 's3', is_public: true })
    expect(made.json.files.map(({ path }: { path: string }) => path)).toEqual(['SKILL.md', 'schema.json'])
  })

  test('fails with the reason when the session cannot be run again', async () => {
    const gone = await service.upload(await makePdf([invoiceLines]), 'gone.pdf')
    await execute(
      's4',
      { prompt: 'Read it', json_schema: invoiceSchema },
      { invoice: { type: 'input_file', file_id: gone.id } },
    )
    await service.call('DELETE', `/v1/files/${gone.id}`)
    const made = await create({ session_id: 's4', name: 'unprovable' })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'failed', number: null, error: { code: 'unknown_file' } })
    expect(done.error.message).toMatch(/cannot be run again: .*this workspace has no file/)
    const used = await service.call('POST', '/v1/agent/execute', {
      body: { inputs: { invoice: fileItem() }, config: { skills: [{ skill_id: made.json.id }] } },
    })
    expect(used).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'config', 'skills', 0, 'skill_id'], type: 'skill_not_ready' }] },
    })
    expect((await service.call('GET', '/v1/skills?limit=1000')).json).not.toContainEqual(
      expect.objectContaining({ id: made.json.id }),
    )
  })

  test('uses nothing without retention', async () => {
    const config = { prompt: 'Extract the whole invoice', json_schema: invoiceSchema }
    // A file would be deleted with it.
    const body = { batch: false, inputs: { note: invoiceLines.join('\n') }, config }
    const metadata = { session_id: 's6', allow_retention: false }
    const kept = await execute('s6', { prompt: 'Return the total', json_schema: invoiceSchema })
    expect((await service.call('POST', '/v1/agent/execute', { body: { ...body, metadata } })).status).toBe(201)
    const made = await create({ session_id: 's6' })
    expect(made.json).toMatchObject({ name: 'return-total', proof: { original_id: kept.id } })
    const alone = { ...body, metadata: { ...metadata, session_id: 's7' } }
    expect((await service.call('POST', '/v1/agent/execute', { body: alone })).status).toBe(201)
    expect((await create({ session_id: 's7' })).status).toBe(404)
  })

  test('is refused without executions to create it from', async () => {
    expect(await create({ session_id: 'nobody' })).toMatchObject({ status: 404 })
    await execute('s5', {
      json_schema: { type: 'object', properties: { total: { type: 'number' } } },
      timeout_seconds: 0.001,
    })
    const why = /none of its executions has completed; the last one failed: .*timeout_seconds/
    expect(await create({ session_id: 's5' })).toMatchObject({
      status: 422,
      json: {
        detail: [{ loc: ['body', 'session_id'], type: 'session_not_distillable', msg: expect.stringMatching(why) }],
      },
    })
    const key = await service.stranger()
    const theirs = await service.call('POST', '/v1/skills/create', { key, body: { session_id: 's1' } })
    expect(theirs.status).toBe(404)
  })
})
