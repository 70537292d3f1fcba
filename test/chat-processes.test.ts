import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { startMockModel } from './support/mock-model.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

test('a reply is streamed while another worker process generates it', async () => {
  await using database = await makeDatabase()
  const text = 'One two three four five six.'
  let isHeld = true
  await using model = await startMockModel({ script: () => ({ text, ...(isHeld ? { holdsAfter: 4 } : {}) }) })
  const folder = await temporaryFolder('chat')
  const file = join(folder, 'configuration.json')
  const providers = { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } }
  await writeFile(file, JSON.stringify({ providers }))
  const env = { SKILLRUN_CONFIG: file }
  await using api = await openTestService({ database, env: { ...env, SKILLRUN_ROLE: 'api' } })
  await using _worker = await openTestService({ database, env: { ...env, SKILLRUN_ROLE: 'worker' } })
  const client = new OpenAI({ apiKey: api.key, baseURL: `${api.url}/v1/openai`, maxRetries: 0 })
  const ask = async (until: (heard: string) => boolean) => {
    let heard = ''
    const messages = [{ role: 'user' as const, content: 'Count' }]
    const stream = await client.chat.completions.create({ model: 'svc-agent-1:fast', messages, stream: true })
    for await (const chunk of stream) {
      heard += chunk.choices[0]?.delta.content ?? ''
      if (until(heard)) break
    }
    return heard
  }
  const begun = await ask((heard) => heard.length > 0)
  expect(text.startsWith(begun) && begun !== text).toBe(true)
  isHeld = false
  expect(await ask(() => false)).toBe(text)
})
