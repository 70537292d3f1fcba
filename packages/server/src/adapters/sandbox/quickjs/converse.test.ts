import { systemClock } from '@skillrun/core/clock.ts'
import { expect, test } from 'vitest'
import { converse, type Link } from './converse.ts'
import { frameOf, readFrames } from './frames.ts'
import type { Turn } from './turn.ts'

const limits = {
  wallMs: 10_000,
  cpuMs: 1_000,
  memoryMb: 16,
  outputBytesMax: 100,
  hostCallsMax: 3,
  consoleBytesMax: 100,
}

/** A conversation with a compromised realm, which sends arbitrary turns. */
async function converseWith(turns: readonly Turn[]) {
  const left = [...turns]
  const next = async (): Promise<Turn> => left.shift() ?? { calls: [], console: [], end: null }
  const link: Link = { open: next, settle: next }
  const signal = new AbortController().signal
  const host = { 'a.b': async () => 1 }
  const run = { source: '', input: null, host, limits, nowMs: 0, signal }
  const { outcome, isReusable } = await converse({ link, clock: systemClock }, run)
  const error = 'error' in outcome ? (outcome.error as { code?: string; name: string }) : undefined
  return { outcome, isReusable, code: error?.code }
}

const nothing: Turn = { calls: [], console: [], end: null }
const calls = (count: number, json = '[]') => Array.from({ length: count }, (_, id) => ({ id, name: 'a.b', json }))

test.each<[string, Turn, string]>([
  ['more calls than it may', { ...nothing, calls: calls(4) }, 'program_host_calls'],
  ['a larger argument than allowed', { ...nothing, calls: calls(1, `["${'x'.repeat(200)}"]`) }, 'program_output'],
  [
    'a larger answer than allowed',
    { ...nothing, end: { ended: 'returned', json: `"${'x'.repeat(200)}"` } },
    'program_output',
  ],
  ['more words than it may', { ...nothing, console: ['x'.repeat(200)] }, 'program_console'],
  ['an answer that is no JSON', { ...nothing, end: { ended: 'returned', json: '{' } }, 'program_result'],
  [
    'a failure with an unknown code',
    { ...nothing, end: { ended: 'failed', code: 'x', message: 'y', line: null } },
    'program_error',
  ],
  ['nothing', nothing, 'program_stuck'],
])('a realm that sends %s has failed', async (_what, turn, code) => {
  expect((await converseWith([turn])).code).toBe(code)
})

test('a call whose arguments are not JSON ends the run, and not the process', async () => {
  const { outcome, isReusable } = await converseWith([{ ...nothing, calls: calls(1, '[') }])
  expect('error' in outcome).toBe(true)
  expect(isReusable).toBe(false)
})

test('a call of an unknown tool, or of a property of Object.prototype, is rejected', async () => {
  const named = ['c.d', 'constructor', '__proto__', 'toString'].map((name, id) => ({ id, name, json: '[]' }))
  for (const call of named) {
    const settled: unknown[] = []
    const link: Link = {
      open: async () => ({ ...nothing, calls: [call] }),
      settle: async (settlement) => {
        settled.push(settlement)
        return { ...nothing, end: { ended: 'returned', json: '1' } }
      },
    }
    const signal = new AbortController().signal
    await converse({ link, clock: systemClock }, { source: '', input: null, host: {}, limits, nowMs: 0, signal })
    expect(settled).toEqual([{ id: call.id, isGood: false, json: `There is no tool ${call.name}` }])
  }
})

test('frames are read however the stream is split, and an oversized frame ends the reading', () => {
  const messages = [{ a: 1 }, 'ü', [null]]
  const bytes = Buffer.concat(messages.map(frameOf))
  for (const size of [1, 3, 5, bytes.length]) {
    const seen: unknown[] = []
    const read = readFrames(100, { onMessage: (message) => seen.push(message), onBad: () => seen.push('bad') })
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    expect(seen).toEqual(messages)
  }
  const seen: unknown[] = []
  const read = readFrames(10, { onMessage: (message) => seen.push(message), onBad: () => seen.push('bad') })
  read(frameOf('x'.repeat(20)))
  read(frameOf(1))
  expect(seen).toEqual(['bad'])
  const broken: unknown[] = []
  const readBroken = readFrames(10, { onMessage: () => broken.push('message'), onBad: () => broken.push('bad') })
  readBroken(Buffer.from([0, 0, 0, 1, 0x7b]))
  expect(broken).toEqual(['bad'])
})
