import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from './house/house.ts'
import { filesOfZip, zipOf } from './house/zips.ts'

let house: TestHouse
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const skillMd = (name: string, body = 'Read the total.') =>
  `---\nname: ${name}\ndescription: Reads receipts.\n---\n\n${body}\n`

describe('a skill from a zip', () => {
  test('comes back from its download byte for byte, and needs no key for it', async () => {
    const files = {
      'SKILL.md': skillMd('receipts', 'See [more](references/more.md) and run scripts/total.ts'),
      'references/more.md': 'Más\r\n',
      'scripts/total.ts': 'export default () => 1',
      'assets/logo.bin': Buffer.from([0, 1, 2, 255]),
    }
    const file = await house.upload(zipOf(files), 'receipts.zip')
    const body = { file_id: file.id, name: 'receipts', description: 'Reads receipts.' }
    const made = await house.call('POST', '/v1/skills/create', { body })
    expect(made.json).toMatchObject({ name: 'receipts', status: 'completed', number: 1, review: [] })
    expect(made.status).toBe(201)
    expect(made.json.skill_version).toMatch(/^\d{8}-[0-9a-f]{8}$/)
    const download = await house.call('GET', `/v1/skills/${made.json.id}/download`)
    expect(download.json).toMatchObject({ id: made.json.id, name: 'receipts', expires_in: 604800 })
    const zip = await fetch(download.json.download_url)
    expect(zip.headers.get('content-type')).toBe('application/zip')
    const back = await filesOfZip(Buffer.from(await zip.arrayBuffer()))
    expect(back).toEqual(new Map(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes)])))
  })
})
