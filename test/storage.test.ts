import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from './house/house.ts'

const openSmall = (bytes: number) =>
  openTestHouse({ config: { file: { limits: { storage_bytes_per_workspace: bytes } } } })

const upload = async (house: TestHouse, bytes: Uint8Array) => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.bin')
  const headers = { Authorization: `Bearer ${house.key}` }
  const response = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body: form })
  return { status: response.status, json: (await response.json()) as { id: string; detail: string } }
}

/** The blobs that lie in the store, temporary files included. */
async function stored(house: TestHouse): Promise<string[]> {
  const entries = await readdir(join(house.dataFolder, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('a workspace holds as much as its quota, is told in words when it is full, and has room again after a deletion', async () => {
  await using house = await openSmall(300_000)
  const first = await upload(house, Buffer.alloc(200_000, 1))
  expect(first.status).toBe(201)
  const refused = await upload(house, Buffer.alloc(150_000, 2))
  expect(refused).toEqual({
    status: 413,
    json: {
      detail: 'The files of this workspace take 200000 bytes of the 300000 that they may take; delete some first',
    },
  })
  expect((await upload(house, Buffer.alloc(100_001, 3))).status).toBe(413)
  expect(await stored(house)).toHaveLength(1)
  await house.call('DELETE', `/v1/files/${first.json.id}`)
  expect(await stored(house)).toHaveLength(0)
  expect((await upload(house, Buffer.alloc(300_000, 4))).status).toBe(201)
})

test('uploads at the same moment do not pass the quota together', async () => {
  await using house = await openSmall(1_000)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => upload(house, Buffer.alloc(400, n))))
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
  expect(answers.filter((answer) => answer.status === 413)).toHaveLength(4)
  expect(await stored(house)).toHaveLength(2)
})

test('a presigned upload counts too, and the quota of one workspace is not that of another', async () => {
  await using house = await openSmall(100_000)
  const { url } = (await house.call('POST', '/v1/files/presigned-url', { body: { filename: 'a.bin' } })).json
  expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(100_001) })).status).toBe(413)
  expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(100_000) })).status).toBe(200)
  expect((await upload(house, Buffer.alloc(1))).status).toBe(413)
  const key = await house.stranger()
  const form = new FormData()
  form.append('file', new Blob(['theirs']), 'a.bin')
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body: form })).status).toBe(201)
})
