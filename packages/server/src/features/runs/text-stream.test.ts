import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeDatabase } from '../../../../../test/support/database.ts'
import { listenForText, openTextStream, piecesOf } from './text-stream.ts'

test('a streamed text arrives completely and in order, only at its own listeners', async () => {
  await using database = await makeDatabase()
  const words = await listenForText(database.db)
  const heard: string[] = []
  const other: string[] = []
  words.watch('one', ({ from, text }) => {
    expect(from).toBe(7 + heard.join('').length)
    heard.push(text)
  })
  words.watch('two', ({ text }) => other.push(text))
  const text = `Grüße "quoted" \\ \n \u0000 ${'𝒳'.repeat(3_000)} end`
  const textStream = openTextStream(database.db, 'one', 7)
  for (let at = 0; at < text.length; at += 700) textStream.say(text.slice(at, at + 700))
  await textStream.end()
  await expect.poll(() => heard.join('').length).toBe(text.length)
  expect(heard.join('')).toBe(text.replace('\0', '\ufffd'))
  for (const piece of heard) expect(piece.isWellFormed()).toBe(true)
  expect(other).toEqual([])
  await words.close()
})

test('a text in chunks is the text, and no chunk exceeds a message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000, size: 'max' }), (text) => {
      const pieces = [...piecesOf(text)]
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(7_000)
    }),
  )
})
