import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLocalFile, multipartOf } from './upload.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-upload-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** All bytes of the body; `sent` holds those that came even when it throws in the middle. */
async function drain(body: AsyncIterable<Uint8Array>, sent: Uint8Array[]) {
  for await (const piece of body) sent.push(piece)
  return Buffer.concat(sent)
}

test('a body is as long as it says, and a name with quotes and line ends stays inside its header', async () => {
  const name = 'a "b"\r\nX-Evil:\u001b 1.txt'
  await writeFile(join(folder, name), 'content')
  const part = multipartOf(await findLocalFile(join(folder, name), name), () => undefined)
  const body = await drain(part.body, [])
  expect(body.length).toBe(part.bytes)
  expect(body.toString()).toContain('filename="a %22b%22%0D%0AX-Evil:%1B 1.txt"\r\n')
  expect(body.toString()).not.toContain('\nX-Evil')
})

test.each([
  ['shorter', 'abc'],
  ['longer', 'abcdefghij'.repeat(20_000)],
])('a file that is %s than it was when it was looked at is not sent as if whole', async (_, later) => {
  const path = join(folder, 'changing.txt')
  await writeFile(path, 'abcdef')
  const file = await findLocalFile(path, 'changing.txt')
  await writeFile(path, later)
  const part = multipartOf(file, () => undefined)
  const sent: Uint8Array[] = []
  await expect(drain(part.body, sent)).rejects.toThrow('changing.txt changed during the upload')
  expect(Buffer.concat(sent).length).toBeLessThan(part.bytes)
})
