import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { overflow } from './support/in-page.mjs'

const schemaOf = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: ['number', 'null'] }])),
})

describe.skipIf(skipsBrowser)('the proof of an execution in the console', { timeout: 60_000 }, () => {
  let shown: TestConsole
  let first: string
  let forked: string
  beforeAll(async () => {
    shown = await openTestConsole()
    const json = await shown.service.execute({
      inputs: { note: 'Harbour Supplies\nTotal: 101.25\nDiscount: 7.00' },
      config: { json_schema: schemaOf('total') },
    })
    first = json.id
    const fork = await shown.service.call('POST', `/v1/agent/executions/${first}/fork`, {
      body: { batch: false, from_step: 2, config: { json_schema: schemaOf('discount') } },
    })
    expect(fork.json.response, JSON.stringify(fork.json)).toEqual({ discount: 7 })
    forked = fork.json.id
  })
  afterAll(() => shown?.[Symbol.asyncDispose]())

  test('replays it, saves its capsule, and compares it with the one that it was forked from', async () => {
    const page = await shown.page(`/executions/${forked}?view=proof`)
    const proof = page.getByRole('region', { name: 'Proof' })
    await proof.getByRole('button', { name: 'Replay' }).click()
    await proof.getByText('Equal: the replay gave the same output, with 0 model calls.').waitFor()

    const saved = page.waitForEvent('download')
    await proof.getByRole('button', { name: 'Download capsule', exact: true }).click()
    const capsule = JSON.parse(await readFile(await (await saved).path(), 'utf8'))
    expect(Object.keys(capsule)).toEqual(['payloadType', 'payload', 'signatures'])

    expect(await proof.getByLabel('Compare with execution').inputValue()).toBe(first)
    await proof.getByRole('button', { name: 'Compare' }).click()
    await proof.getByRole('cell', { name: '/total' }).waitFor()
    const rows = await proof.getByRole('row').allInnerTexts()
    expect(rows.map((row) => row.split(/\s+/))).toEqual([
      ['Path', 'Other', 'This'],
      ['/total', '101.25', 'null'],
      ['/discount', 'null', '7'],
    ])
    expect(await page.evaluate(overflow)).toBe(0)

    // The record says something else than the replay gives.
    const response = { discount: 8, delivery_address: 'Quay 9, Albion Dockside, Hanover Place, '.repeat(6) }
    const { db } = shown.service.database
    await db.query('update executions set response = $2 where id = $1', [forked, JSON.stringify(response)])
    await proof.getByRole('button', { name: 'Replay' }).click()
    await proof.getByText('The replay differs.').waitFor()
    await proof.getByRole('cell', { name: '/response/discount' }).waitFor()
    // A long value leaves room for the path beside it.
    const path = await proof.getByText('/response/delivery_address', { exact: true }).boundingBox()
    expect(path?.height).toBeLessThan(50)
    await page.close()
  })
})
