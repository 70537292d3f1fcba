import { expect, test } from 'vitest'
import { readServerEvents } from './server-events.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function eventsOf(stream: ReadableStream<Uint8Array>, silenceMs?: number): Promise<string[]> {
  const seen: string[] = []
  for await (const { event, data } of readServerEvents(stream, silenceMs)) seen.push(`${event} ${data}`)
  return seen
}

test('events are complete, however the stream is split, and comments are skipped', async () => {
  const text = 'retry: 1000\n\nid: 1\nevent: step\ndata: {"ü": 1}\n\n: still here\n\ndata: a\r\ndata: b\r\n\r\n'
  for (const size of [1, 3, 1000]) {
    const all = bytes(text)
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
    expect(await eventsOf(ReadableStream.from(pieces))).toEqual(['step {"ü": 1}', 'message a\nb'])
  }
})

test('a silent stream, as after a power loss of the server, is given up', async () => {
  let cancelled = false
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes('data: 1\n\n')),
    cancel: () => {
      cancelled = true
    },
  })
  await expect(eventsOf(silent, 20)).rejects.toThrow('The stream sent nothing for 0.02 s')
  expect(cancelled).toBe(true)
})
