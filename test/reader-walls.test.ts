import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBubblewrap } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import { callServer, uploadTo } from './support/call.ts'
import { invoiceLines, makePdf } from './support/documents.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const isSkipped = 'missing' in looked && process.env['REQUIRE_SANDBOX'] !== '1'

/** A process and all its descendants. */
const withChildren = (pid: number): number[] => {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...own.flatMap(withChildren)]
}

test.skipIf(isSkipped)(
  'a server’s readers see of its data folder their own inputs and what was compiled, and no file once it was read',
  async () => {
    const folder = await temporaryFolder('walls')
    {
      await using server = startServer(folder, { SKILLRUN_API_KEY: 'the-key-of-the-operator' })
      const url = (await server.printed(/Skillrun +(http:\S+)/))[1] ?? ''
      await server.printed(/completed: 1 page/)
      const operator = { url, key: 'the-key-of-the-operator' }
      const { json: file } = await uploadTo(operator, await makePdf([invoiceLines]), 'invoice.pdf')
      const body = {
        batch: false,
        inputs: { file: { type: 'input_file', file_id: file.id } },
        config: { json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } } },
      }
      const { json: record } = await callServer(operator, 'POST', '/v1/agent/execute', { body })
      expect(record).toMatchObject({ status: 'completed' })

      const blobs = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
      expect(blobs.some((entry) => entry.isFile())).toBe(true)
      const readers = withChildren(server.process.pid ?? 0).filter((pid) => {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return words[0]?.endsWith('node') && words.some((word) => /process-pool[/-]child[/-]entry\.[jt]s$/.test(word))
      })
      expect(readers.length).toBeGreaterThan(0)
      for (const pid of readers) {
        const seen = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
          .split('\n')
          .map((line) => line.split(' ')[4] ?? '')
          .filter((path) => path.startsWith(folder))
          .map((path) => path.slice(folder.length + 1).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…'))
        expect(seen.toSorted()).toEqual(['compiled/children', 'tmp-…/child-…'])
        expect(readdirSync(`/proc/${pid}/root${folder}`).toSorted()).toEqual([
          'compiled',
          expect.stringMatching(/^tmp-/),
        ])
        const inputs = readdirSync(`/proc/${pid}/root${folder}`).find((name) => name.startsWith('tmp-')) ?? ''
        const [own = ''] = readdirSync(`/proc/${pid}/root${folder}/${inputs}`)
        expect(readdirSync(`/proc/${pid}/root${folder}/${inputs}/${own}`)).toEqual([])
      }
    }
  },
)
