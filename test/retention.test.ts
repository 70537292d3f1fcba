import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { dropEndedHolds } from '../packages/server/src/features/files/store.ts'
import {
  deleteParsedDocumentsFor,
  findVideoImages,
  keepVideoImages,
  variantOf,
} from '../packages/server/src/features/inputs/parsed-documents.ts'
import { purgeExecutions } from '../packages/server/src/features/retention/purge.ts'
import { purgeAllDue } from '../packages/server/src/features/retention/tidy.ts'
import { placesOf as findPlaces, listeningLog } from './support/marks.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { settledRecord } from './support/until.ts'

const { log, lines } = listeningLog()
const receiver = await opened(openReceiver())
const service = await opened(openTestService({ log, env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } }))

const execute = async (body: object) => service.call('POST', '/v1/agent/execute', { body: { batch: false, ...body } })
const find = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json

const purge = (at: Parameters<typeof purgeExecutions>[1]) =>
  purgeExecutions({ db: service.database.db, forgetMore: async () => undefined }, at)

const placesOf = (mark: string) => findPlaces(mark, { service, lines })

let uploads = 0

/** A request with its marker in every place that takes content. Its file is unique, as identical bytes might be in deletion. */
async function marked(mark: string) {
  uploads += 1
  const file = await service.upload(Buffer.from(`Vendor: ${mark} file\nTotal: 5.0${uploads}`), `${mark}.txt`)
  // Only one document has the values: several that disagree would give no answer.
  const text = Buffer.from(`Remark: ${mark} data, seen by two people`).toString('base64')
  return {
    inputs: {
      file: { type: 'input_file', file_id: file.id },
      data: `data:text/plain;base64,${text}`,
      text: `Remark: ${mark} text, seen by nobody`,
      value: { [mark]: mark },
    },
    config: {
      prompt: `Extract the vendor and ${mark}`,
      json_schema: {
        type: 'object',
        description: mark,
        properties: {
          vendor: { type: ['string', 'null'] },
          total: { type: ['number', 'null'] },
          // A prompt may use the names of the schema.
          [mark]: { type: ['string', 'null'] },
        },
      },
      grounding: true,
    },
    metadata: { session_id: `session ${mark}`, extra: { dataset: mark } },
  }
}

test('a retained request is found, so that the search for markers is meaningful', async () => {
  const mark = 'quillfeather'
  const body = await marked(mark)
  expect((await execute(body)).json.status).toBe('completed')
  const places = await placesOf(mark)
  for (const table of ['public.executions', 'public.steps', 'public.files', 'public.agents'])
    expect(places).toContain(table)
  expect(places.some((place) => place.includes('/blobs/'))).toBe(true)
})

describe('an execution with allow_retention false', () => {
  test('leaves no trace of inputs, steps and results once the answer was read', async () => {
    const mark = 'hollowbramble'
    const body = await marked(mark)
    const { json } = await execute({ ...body, metadata: { ...body.metadata, allow_retention: false } })
    expect(json).toMatchObject({ status: 'completed', response: { total: expect.anything() } })
    expect(JSON.stringify(json.response)).toContain(mark)
    // The caller hears of the end from the commit; the bytes of the input go right after it.
    await expect.poll(() => placesOf(mark)).toEqual([])
    const later = await find(json.id)
    expect(later).toMatchObject({ status: 'completed', response: null, evidence: null })
    expect(later.usage).toMatchObject({ elements_processed: json.usage.elements_processed, steps: json.usage.steps })
    // Parsed documents are compressed, so their markers would not be found.
    const own = await service.database.db.query(`select 1 from readings where reader like '%' || $1`, [json.id])
    expect(own).toEqual([])
    const [step] = (await service.call('GET', `/v1/agent/executions/${json.id}/steps`)).json
    expect(step).toMatchObject({ name: 'document.read', detail: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    expect(await service.call('GET', `/v1/agent/executions/${json.id}/request`)).toMatchObject({ status: 409 })
    expect(await service.call('POST', `/v1/agent/executions/${json.id}/rerun`)).toMatchObject({ status: 409 })
  })

  test('returns its answer to the first reader only, and listing does not count as reading', async () => {
    const mark = 'marshlantern'
    const body = await marked(mark)
    const { json } = await execute({ ...body, batch: true, metadata: { allow_retention: false } })
    await expect
      .poll(async () => (await service.call('GET', '/v1/agent/executions?limit=1')).json[0].status)
      .toBe('completed')
    const [listed] = (await service.call('GET', '/v1/agent/executions?limit=1')).json
    expect([listed.id, listed.response]).toEqual([json.id, null])
    expect(await placesOf(mark)).toEqual(['public.executions'])
    const answers = await Promise.all([1, 2, 3, 4].map(() => find(json.id)))
    expect(answers.filter((answer) => answer.response !== null)).toHaveLength(1)
    expect(await placesOf(mark)).toEqual([])
  })

  test('keeps its answer for an hour', async () => {
    const mark = 'copperthistle'
    const body = await marked(mark)
    const { json } = await execute({ ...body, batch: true, metadata: { allowRetention: false } })
    await expect
      .poll(async () => (await service.call('GET', '/v1/agent/executions?limit=1')).json[0].status)
      .toBe('completed')
    const ended = Date.now()
    await purge({ now: new Date(ended + 3_590_000), olderThan: null })
    expect(await placesOf(mark)).toEqual(['public.executions'])
    await purge({ now: new Date(ended + 3_610_000), olderThan: null })
    expect(await placesOf(mark)).toEqual([])
    expect((await find(json.id)).response).toBeNull()
  })

  test('leaves nothing when it fails or is cancelled', async () => {
    const mark = 'ironmeadow'
    const body = await marked(mark)
    const broken = `data:application/pdf;base64,${Buffer.from(`%PDF-1.7 ${mark}`).toString('base64')}`
    const inputs = { ...body.inputs, broken }
    const failed = await execute({ ...body, inputs, metadata: { allow_retention: false } })
    expect(failed.json.status).toBe('failed')
    const pending = await execute({ ...(await marked(mark)), batch: true, metadata: { allow_retention: false } })
    await service.call('POST', `/v1/agent/executions/${pending.json.id}/cancel`)
    const record = await find(pending.json.id)
    expect(['failed', 'completed']).toContain(record.status)
    await purge({ now: new Date(Date.now() + 3_610_000), olderThan: null })
    const left = await placesOf(mark)
    // The collector deletes the bytes of an interrupted run.
    expect(left.filter((place) => !place.includes('/blobs/'))).toEqual([])
  })

  test('is not read again by a superseded run once it has ended', async () => {
    const { json } = await execute({ ...(await marked('saltmirror')), metadata: { allow_retention: false } })
    const { db } = service.database
    const [row] = await db.query<{ workspaceId: string; attempt: number }>(
      'select workspace_id as "workspaceId", attempt from executions where id = $1',
      [json.id],
    )
    const { workspaceId, attempt } = row as { workspaceId: string; attempt: number }
    const late = {
      workspaceId,
      sha256: createHash('sha256').update('saltmirror').digest(),
      variant: variantOf({ id: json.id, request: { pageIndices: null, caching: false } }),
      now: new Date(),
    }
    await keepVideoImages(db, {
      ...late,
      images: [Buffer.from('saltmirror')],
      fence: { workspaceId, id: json.id, attempt },
    })
    expect(await findVideoImages(db, late)).toBeUndefined()
    // The same for a run that shares parsed documents.
    await keepVideoImages(db, { ...late, images: [Buffer.from('saltmirror')], fence: undefined })
    expect(await findVideoImages(db, late)).toHaveLength(1)
    await deleteParsedDocumentsFor(db, { workspaceId, id: json.id })
    expect(await findVideoImages(db, late)).toBeUndefined()
  })

  test("has its callback delivered completely, and that callback's bytes are deleted with the answer", async () => {
    const mark = 'velvetharbor'
    const body = await marked(mark)
    const { json } = await execute({
      ...body,
      batch: true,
      callback_url: receiver.url('/end'),
      metadata: { allow_retention: false },
    })
    const [received] = await receiver.got('/end', 1)
    expect(received?.body.toString()).toContain(mark)
    await expect
      .poll(async () => (await service.call('GET', `/v1/agent/executions/${json.id}/callbacks`)).json[0]?.state)
      .toBe('delivered')
    expect((await find(json.id)).response).not.toBeNull()
    expect(await placesOf(mark)).toEqual([])
  })

  test('leaves nothing of a callback that is acknowledged after the answer was read', async () => {
    const mark = 'quietmeadow'
    const held = Promise.withResolvers<() => void>()
    receiver.on('/late', (response) => held.resolve(() => response.writeHead(204).end()))
    const { json } = await execute({
      ...(await marked(mark)),
      callback_url: receiver.url('/late'),
      metadata: { allow_retention: false },
    })
    expect(json).toMatchObject({ status: 'completed', response: expect.anything() })
    const acknowledge = await held.promise
    acknowledge()
    await expect
      .poll(async () => (await service.call('GET', `/v1/agent/executions/${json.id}/callbacks`)).json[0]?.state)
      .toBe('delivered')
    expect(await placesOf(mark)).toEqual([])
  })

  test('gives its answer only once: a second approval returns the record without it', async () => {
    const { id } = (
      await execute({
        inputs: { text: 'Total: 5.00' },
        config: { prompt: 'Extract the total', require_approval: 'completion' },
        metadata: { allow_retention: false },
      })
    ).json
    const approve = () => service.call('POST', `/v1/agent/executions/${id}/approve`, { body: {} })
    await approve()
    // The list gives no answer away.
    const listed = async () => (await service.call('GET', '/v1/agent/executions?limit=1')).json[0]
    await expect.poll(async () => (await listed()).status).toBe('completed')
    expect((await approve()).json.response).not.toBeNull()
    expect((await find(id)).response).toBeNull()
  })

  test('leaves nothing of the callback of its batch once that is delivered', async () => {
    const mark = 'amberlantern'
    const { json } = await service.call('POST', '/v1/agent/batches', {
      body: {
        name: mark,
        items: [{ inputs: { text: 'Total: 5.00' } }],
        config: { prompt: 'Extract the total' },
        callback_url: receiver.url('/batch'),
        metadata: { allow_retention: false },
      },
    })
    const callbacks = async () => (await service.call('GET', `/v1/agent/batches/${json.id}/callbacks`)).json
    await expect.poll(async () => (await callbacks())[0]?.state).toBe('delivered')
    expect((await receiver.got('/batch', 1)).map(({ body }) => JSON.parse(body.toString()).name)).toEqual([mark])
    expect(await placesOf(mark)).toEqual([])
  })

  test('leaves nothing of the callback of its batch an hour later, if it could not be delivered', async () => {
    const mark = 'paleorchard'
    receiver.on('/deaf', (response) => response.writeHead(500).end())
    const { json } = await service.call('POST', '/v1/agent/batches', {
      body: {
        name: mark,
        items: [{ inputs: { text: 'Total: 5.00' } }],
        config: { prompt: 'Extract the total' },
        callback_url: receiver.url('/deaf'),
        metadata: { allow_retention: false },
      },
    })
    const callback = async () => (await service.call('GET', `/v1/agent/batches/${json.id}/callbacks`)).json[0]
    await expect.poll(async () => (await callback())?.tries.length).toBe(1)
    expect(await placesOf(mark)).toEqual(['public.callbacks'])
    const at = Date.parse((await callback()).created_at)
    await purge({ now: new Date(at + 3_590_000), olderThan: null })
    expect(await callback()).toMatchObject({ state: 'pending' })
    await purge({ now: new Date(at + 3_610_000), olderThan: null })
    expect(await callback()).toMatchObject({ state: 'failed', url: '', next_try_at: null })
    expect(await placesOf(mark)).toEqual([])
  })

  test('does not delete a file that another execution uses', async () => {
    const file = await service.upload(Buffer.from('Total: 8.00'), 'shared.txt')
    const inputs = { file: { type: 'input_file', file_id: file.id } }
    const bodies = [1, 2, 3, 4].map(() =>
      execute({ inputs, config: { prompt: 'Extract the total' }, metadata: { allow_retention: false } }),
    )
    const ended = (await Promise.all(bodies)).map(({ status, json }) => [status, json.status])
    // Executions that came after the deletion were refused.
    for (const [status, state] of ended) expect([`201 completed`, '404 undefined']).toContain(`${status} ${state}`)
    expect((await service.call('GET', `/v1/files/${file.id}`)).status).toBe(404)
  })
})

test('content is deleted by age when so configured; usage and price stay', async () => {
  const mark = 'saltwillow'
  const body = await marked(mark)
  const { json } = await execute({ ...body, config: { ...body.config, prompt: '', review: { below: 1 } } })
  const needed = async () => (await service.call('GET', '/v1/agent/executions?review=needed')).json.length
  expect(await needed()).toBe(1)
  await purge({ now: new Date(), olderThan: new Date(Date.parse(json.completed_at) - 1_000) })
  expect((await find(json.id)).response).not.toBeNull()
  await purge({ now: new Date(), olderThan: new Date(Date.parse(json.completed_at) + 1_000) })
  const later = await find(json.id)
  expect(later).toMatchObject({ status: 'completed', response: null, usage: { steps: json.usage.steps } })
  // Nobody can review it any more.
  expect([later.review, await needed()]).toEqual([null, 0])
  expect(await placesOf(mark)).not.toContain('public.executions')
  expect(await placesOf(mark)).not.toContain('public.steps')
  // What would need it is refused, and says why.
  const at = `/v1/agent/executions/${json.id}`
  const needing = [
    service.call('POST', `${at}/replay`),
    service.call('POST', `${at}/fork`, { body: { from_step: 1 } }),
    service.call('POST', `${at}/rerun`, { body: {} }),
    service.call('GET', `${at}/capsule`),
    service.call('GET', `${at}/capsule?contents=true`),
    execute({ ...body, config: { ...body.config, base_execution: json.id } }),
  ]
  for (const { status, json: refused } of await Promise.all(needing))
    expect([status, refused.detail]).toEqual([409, expect.stringContaining('its retention period has ended')])
})

test('a deleted file leaves nothing, not even its name, once no unfinished execution needs it', async () => {
  const mark = 'tinderfern'
  const { db } = service.database
  const upload = () => service.upload(Buffer.from(`Total: 5.00 ${mark}`), `${mark}.txt`)
  const unused = await upload()
  const used = await upload()
  const inputs = { file: { type: 'input_file', file_id: used.id } }
  const { json } = await execute({ inputs, config: { prompt: 'Extract the total', require_approval: 'completion' } })
  expect(json.status).toBe('paused')
  const namesOf = async () =>
    (
      await db.query<{ filename: string }>('select filename from files where id = any($1::uuid[]) order by id', [
        [unused.id, used.id],
      ])
    ).map(({ filename }) => filename)
  for (const { id } of [unused, used]) expect((await service.call('DELETE', `/v1/files/${id}`)).status).toBe(200)
  expect(await namesOf()).toEqual(['', `${mark}.txt`])
  await service.call('POST', `/v1/agent/executions/${json.id}/approve`, { body: {} })
  await settledRecord(service, json.id)
  await dropEndedHolds(db)
  expect(await namesOf()).toEqual(['', ''])
  expect(await placesOf(mark)).not.toContain('public.files')
})

describe('what was parsed from a file for later executions', () => {
  const isParsed = async (mark: string) => (await placesOf(mark)).includes('public.readings')

  test('is deleted with the last file of these bytes in its workspace', async () => {
    const mark = 'brackenlantern'
    const body = await marked(mark)
    const { file } = body.inputs
    await execute({ ...body, inputs: { file } })
    expect(await isParsed(mark)).toBe(true)
    const content = await fetch(`${service.url}/v1/files/${file.file_id}/content`, {
      headers: { Authorization: `Bearer ${service.key}` },
    })
    const copy = await service.upload(await content.bytes(), 'copy.txt')
    await service.call('DELETE', `/v1/files/${file.file_id}`)
    expect(await isParsed(mark)).toBe(true)
    await service.call('DELETE', `/v1/files/${copy.id}`)
    expect(await isParsed(mark)).toBe(false)
  })

  test('is deleted by age when so configured', async () => {
    const mark = 'osierharrow'
    const { json } = await execute(await marked(mark))
    const ended = Date.parse(json.completed_at)
    const parts = { db: service.database.db, forgetMore: async () => undefined, isStopped: () => false }
    await purgeAllDue(parts, { now: new Date(), olderThan: new Date(ended - 60_000) })
    expect(await isParsed(mark)).toBe(true)
    await purgeAllDue(parts, { now: new Date(), olderThan: new Date(ended + 1_000) })
    expect(await isParsed(mark)).toBe(false)
  })
})

test('one sweep purges more than one batch of old executions', async () => {
  const { json } = await execute(await marked('longmeadow'))
  const { db } = service.database
  await db.query(
    `insert into executions (id, workspace_id, key_id, name, status, request, response, model, tier, created_at, completed_at, usage)
     select gen_random_uuid(), workspace_id, key_id, 'many', 'completed', request, response, model, tier, created_at, completed_at, usage
     from executions, generate_series(1, 450) where id = $1`,
    [json.id],
  )
  const olderThan = new Date(Date.parse(json.completed_at) + 1)
  const parts = { db, forgetMore: async () => undefined, isStopped: () => false }
  expect(await purgeAllDue(parts, { now: new Date(), olderThan })).toBeGreaterThanOrEqual(450)
  const [left] = await db.query(
    `select count(*)::integer as count from executions where name = 'many' and (response is not null or purged_at is null)`,
  )
  expect(left).toEqual({ count: 0 })
})

test.each([
  ['sedgecroft', 'is resumed', async () => undefined],
  ['fernwold', 'is resumed and ends again', async (id: string) => settledRecord(service, id)],
])(
  'the execution %s, which %s between the look of the sweep and its deletion, keeps its request',
  async (mark, _, wait) => {
    const { json } = await execute(await marked(mark))
    const { db } = service.database
    await db.query(
      `update executions set status = 'failed', error = '{"code": "provider_failed", "message": "It failed", "retryable": true}' where id = $1`,
      [json.id],
    )
    let resumed = 0
    const looked: Db = {
      ...db,
      async query<Row extends object>(text: string, params?: readonly unknown[]) {
        const rows = await db.query<Row & { id?: string }>(text, params)
        if (resumed === 0 && rows.some((row) => row.id === json.id)) {
          resumed = (await service.call('POST', `/v1/agent/executions/${json.id}/resume`)).status
          await wait(json.id)
        }
        return rows
      },
    }
    const forgotten: string[] = []
    const forgetMore = async (_: unknown, { executionId }: { executionId: string }) => {
      forgotten.push(executionId)
    }
    const olderThan = new Date(Date.parse(json.completed_at) + 1)
    await purgeExecutions({ db: looked, forgetMore }, { now: new Date(), olderThan })
    expect([resumed, forgotten.includes(json.id)]).toEqual([200, false])
    expect(await settledRecord(service, json.id)).toMatchObject({ status: 'completed', response: json.response })
    const request = await service.call('GET', `/v1/agent/executions/${json.id}/request`)
    expect([request.status, JSON.stringify(request.json)]).toEqual([200, expect.stringContaining(mark)])
  },
)

test('an execution that cannot be purged keeps no other one', async () => {
  const [first, second] = [await execute(await marked('marlpit')), await execute(await marked('withybed'))]
  const olderThan = new Date(Date.parse(second.json.completed_at) + 1)
  const { db } = service.database
  const forgetMore = async (_: unknown, { executionId }: { executionId: string }) => {
    if (executionId === first.json.id) throw new Error('this one stays')
  }
  await expect(purgeExecutions({ db, forgetMore }, { now: new Date(), olderThan })).rejects.toThrow(
    /could not purge 1 of \d+ executions: Error: this one stays/,
  )
  const rows = await db.query('select id, purged_at is not null as purged from executions where id = any($1)', [
    [first.json.id, second.json.id],
  ])
  expect(new Map(rows.map(({ id, purged }) => [id, purged]))).toEqual(
    new Map([
      [first.json.id, false],
      [second.json.id, true],
    ]),
  )
})
