import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'
import { frameTimes } from './frame-times.ts'
import { isTimedHead } from './looks-timed.ts'
import { parseSubtitles } from './subtitles.ts'

describe('the frames of a video', () => {
  const duration = fc.double({ min: 0, max: 100_000, noNaN: true })

  test('have ascending, distinct times within the video and a limited number, whatever is requested', () => {
    const wish = fc.option(
      fc.record({
        segmentSeconds: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
        perSegment: fc.integer({ min: 1, max: 100 }),
      }),
    )
    const cuts = fc
      .array(fc.double({ min: 0, max: 100_000, noNaN: true }))
      .map((all) => all.toSorted((left, right) => left - right))
    fc.assert(
      fc.property(duration, cuts, wish, (durationSeconds, some, wished) => {
        const { atSeconds } = frameTimes({ durationSeconds, cuts: some }, wished)
        expect(atSeconds.length).toBeLessThanOrEqual(60)
        expect(atSeconds[0]).toBe(0)
        expect(atSeconds).toEqual([...new Set(atSeconds)].toSorted((left, right) => left - right))
        expect(Math.max(...atSeconds)).toBeLessThanOrEqual(durationSeconds + 0.001)
      }),
    )
  })

  test('include cuts, fill gaps, and are as many per segment as requested', () => {
    expect(frameTimes({ durationSeconds: 1, cuts: [] }, null).atSeconds).toEqual([0])
    const usual = frameTimes({ durationSeconds: 60, cuts: [7.2, 7.3, 31] }, null).atSeconds
    expect(usual).toHaveLength(12)
    expect(usual).toEqual(expect.arrayContaining([0, 7.2, 31]))
    expect(usual).not.toContain(7.3)
    expect(frameTimes({ durationSeconds: 20, cuts: [] }, { segmentSeconds: 10, perSegment: 2 })).toEqual({
      atSeconds: [0, 5, 10, 15],
      left: 0,
    })
    expect(frameTimes({ durationSeconds: 36_000, cuts: [] }, { segmentSeconds: 10, perSegment: 1 }).left).toBe(3_540)
    // Of the last segment only its first second is there.
    expect(frameTimes({ durationSeconds: 61, cuts: [] }, { segmentSeconds: 10, perSegment: 10 }).left).toBe(1)
  })
})

test('subtitles keep their times and lose their tags', () => {
  const srt =
    '1\n00:00:01,500 --> 00:00:03,000\n<i>Never</i> two\nthings\n\n2\r\n00:01:00,000 --> 00:01:02,250\r\n{\\an8}Again\r\n\r\n3\n00:01:03,000 --> 00:01:04,000\n\n'
  expect(parseSubtitles(srt)).toEqual([
    { fromSeconds: 1.5, toSeconds: 3, text: 'Never two things' },
    { fromSeconds: 60, toSeconds: 62.25, text: 'Again' },
  ])
})

test.each([
  [0, '00:00:00'],
  [67.25, '00:01:07.250'],
  [36_000, '10:00:00'],
])('%d seconds are written %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text)
})

test('the first bytes distinguish audio and video from images and documents', () => {
  const timed = [
    '\0\0\0\x18ftypisom',
    'RIFF\0\0\0\0WAVE',
    'OggS',
    'fLaC',
    'ID3\x04',
    '\xff\xfb\x90\x44',
    '\x1a\x45\xdf\xa3',
  ]
  const others = [
    '\0\0\0\x18ftypavif',
    'RIFF\0\0\0\0WEBP',
    '%PDF-1.7',
    '\x89PNG\r\n',
    '\xff\xd8\xff\xe0',
    'PK\x03\x04',
    'ID3 is a tag',
    '\xff\xfeA\0',
    '',
  ]
  expect(timed.filter((head) => !isTimedHead(Buffer.from(head, 'latin1')))).toEqual([])
  expect(others.filter((head) => isTimedHead(Buffer.from(head, 'latin1')))).toEqual([])
})
