import { expect, test } from 'vitest'
import { bodyWithMedia, sendMedia } from './media-bodies.ts'

const textOf = async (body: string | Blob): Promise<string> => (typeof body === 'string' ? body : body.text())

test('a body contains the base64 of all referenced bytes, whatever their length', async () => {
  const media = sendMedia()
  const pictures = [0, 1, 2, 3, 786_431, 786_432, 786_433, 2_000_000].map((length) =>
    Buffer.alloc(length, length % 251),
  )
  const body = JSON.stringify(pictures.map((bytes) => `data:image/png;base64,${media.nameOf(bytes)}`))
  const sent = JSON.parse(await textOf(await bodyWithMedia(body)))
  expect(sent).toEqual(pictures.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`))
  media.release()
})

test('a released reference, and text that resembles one, are sent as they are', async () => {
  const media = sendMedia()
  const name = media.nameOf(Buffer.from('secret'))
  media.release()
  const other = sendMedia()
  other.nameOf(Buffer.from('there'))
  const body = JSON.stringify([name, 'media.00000000000000000000000000000000.1'])
  expect(await textOf(await bodyWithMedia(body))).toBe(body)
  other.release()
})
