import { expect, test } from 'vitest'
import { nothingSaid, type Present } from './outside.ts'
import { makeVessel, type Vessel } from './vessel.ts'

const megabyte = 1024 * 1024
const limits = { wallMs: 1, cpuMs: 1, memoryMb: 64, outputBytesMax: 1, hostCallsMax: 1, consoleBytesMax: 1 }
const open = (): Promise<Vessel> => makeVessel({ said: nothingSaid(), limits, overdue: () => null } satisfies Present)

const evaluate = ({ context }: Vessel, source: string): unknown =>
  context.dump(context.unwrapResult(context.evalCode(source)))

/** Every byte of a vessel as text, so that a difference is told in a word. */
function contentOf(vessel: Vessel): string {
  const kept = vessel.keep()
  if (kept === undefined) throw new Error('the memory has grown too much')
  return JSON.stringify([kept.filled.map(({ at, bytes }) => [at, bytes.toString('latin1')]), kept.zero])
}

test('a vessel holds again what it held, byte for byte, and nothing of what came after', async () => {
  const vessel = await open()
  const before = contentOf(vessel)
  evaluate(vessel, 'globalThis.first = 41; globalThis.texts = Array.from({ length: 5_000 }, (_, n) => "canary " + n)')
  const ready = vessel.keep()
  const between = contentOf(vessel)
  expect(between).toContain('canary 4999')
  evaluate(vessel, 'globalThis.texts = globalThis.texts.map((text) => "secret " + text)')
  expect(contentOf(vessel)).toContain('secret canary 4999')
  expect(ready && vessel.restore(ready)).toBe(true)
  expect(contentOf(vessel) === between).toBe(true)
  expect(evaluate(vessel, 'first + texts.length')).toBe(5_041)
  expect(vessel.restore(vessel.beginning)).toBe(true)
  expect(contentOf(vessel) === before).toBe(true)
  expect(evaluate(vessel, 'typeof first')).toBe('undefined')
})

test('a vessel that has grown a little holds again what it held, and zeros where it grew', async () => {
  const vessel = await open()
  const small = vessel.memoryBytes()
  const { filled } = vessel.beginning
  evaluate(vessel, 'globalThis.kept = new Array(60_000).fill(7).map((n, at) => "canary " + at); 0')
  const grown = vessel.memoryBytes()
  expect(grown).toBeGreaterThan(small)
  expect(vessel.restore(vessel.beginning)).toBe(true)
  expect(vessel.memoryBytes()).toBe(grown)
  const now = vessel.keep()
  expect(now?.filled.map(({ at, bytes }) => [at, bytes.length])).toEqual(
    filled.map(({ at, bytes }) => [at, bytes.length]),
  )
  expect(now?.filled.every(({ bytes }, at) => bytes.equals(filled[at]?.bytes ?? Buffer.alloc(0)))).toBe(true)
})

test('a vessel that has grown too much is neither kept nor used again', async () => {
  const vessel = await open()
  evaluate(vessel, 'globalThis.kept = new Uint8Array(20_000_000).fill(7); 0')
  expect(vessel.memoryBytes()).toBeGreaterThan(16 * megabyte)
  expect(vessel.keep()).toBeUndefined()
  expect(vessel.restore(vessel.beginning)).toBe(false)
})
