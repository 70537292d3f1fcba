import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Speech with start and end in seconds. */
export interface Said {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A transcription server like OpenAI's that always returns the same words. */
export async function startHearing(said: readonly Said[] = [{ start: 0.5, end: 2, text: 'Order number: PO-7731' }]) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      heard.push(Buffer.concat(parts).toString('latin1'))
      // https://platform.openai.com/docs/api-reference/audio/verbose-json-object
      const doubt = {
        seek: 0,
        tokens: [50364],
        temperature: 0,
        avg_logprob: -0.2,
        compression_ratio: 1,
        no_speech_prob: 0,
      }
      const segments = said.map(({ text, ...times }, id) => ({ id, ...times, text: ` ${text}`, ...doubt }))
      const text = segments.map((segment) => segment.text).join('')
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ text, language: 'english', duration: said.at(-1)?.end ?? 0, segments }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { heard, baseUrl, close: () => server.close() }
}
