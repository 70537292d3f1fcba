import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { madeZip } from '../testing/made-office.ts'
import archiveEntry from './archive-entry.job.ts'

const folder = await temporaryFolder('zip-entries', afterAll)

/** Bytes that this process has read so far. */
const bytesRead = async (): Promise<number> =>
  Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1])

test('a file of a zip is read without the others', async () => {
  const path = join(folder, 'large.zip')
  const large = Object.fromEntries([0, 1, 2, 3].map((at) => [`${at}.bin`, randomBytes(16 * 1024 * 1024)]))
  await writeFile(path, await madeZip({ ...large, 'small.txt': 'Total: 5.00' }))
  const read = () => archiveEntry({ path, name: 'small.txt', entriesMax: 10 })
  // The first time also loads code.
  await read()
  const before = await bytesRead()
  expect(Buffer.from(await read()).toString()).toBe('Total: 5.00')
  expect((await bytesRead()) - before).toBeLessThan(8 * 1024 * 1024)
})
