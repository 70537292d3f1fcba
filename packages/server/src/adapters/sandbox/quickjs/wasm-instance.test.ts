import { expect, test } from 'vitest'
import { emptyOutput, type RunningProgram } from './host-functions.ts'
import { createWasmInstance, type WasmInstance } from './wasm-instance.ts'

const megabyte = 1024 * 1024
const limits = { wallMs: 1, cpuMs: 1, memoryMb: 64, outputBytesMax: 1, hostCallsMax: 1, consoleBytesMax: 1 }
const open = (): Promise<WasmInstance> =>
  createWasmInstance({ output: emptyOutput(), limits, overdue: () => null } satisfies RunningProgram)

const evaluate = ({ context }: WasmInstance, source: string): unknown =>
  context.dump(context.unwrapResult(context.evalCode(source)))

/** Every byte of an instance as text, so that a failure shows the difference. */
function contentOf(instance: WasmInstance): string {
  const kept = instance.snapshot()
  if (kept === undefined) throw new Error('the memory has grown too much')
  return JSON.stringify([kept.filled.map(({ at, bytes }) => [at, bytes.toString('latin1')]), kept.zero])
}

test('an instance holds again what it held, byte for byte, and nothing of what came after', async () => {
  const instance = await open()
  const before = contentOf(instance)
  evaluate(instance, 'globalThis.first = 41; globalThis.texts = Array.from({ length: 5_000 }, (_, n) => "canary " + n)')
  const ready = instance.snapshot()
  const between = contentOf(instance)
  expect(between).toContain('canary 4999')
  evaluate(instance, 'globalThis.texts = globalThis.texts.map((text) => "secret " + text)')
  expect(contentOf(instance)).toContain('secret canary 4999')
  expect(ready && instance.restore(ready)).toBe(true)
  expect(contentOf(instance) === between).toBe(true)
  expect(evaluate(instance, 'first + texts.length')).toBe(5_041)
  expect(instance.restore(instance.initial)).toBe(true)
  expect(contentOf(instance) === before).toBe(true)
  expect(evaluate(instance, 'typeof first')).toBe('undefined')
})

test('an instance that has grown a little holds again what it held, and zeros where it grew', async () => {
  const instance = await open()
  const small = instance.memoryBytes()
  const { filled } = instance.initial
  evaluate(instance, 'globalThis.kept = new Array(60_000).fill(7).map((n, at) => "canary " + at); 0')
  const grown = instance.memoryBytes()
  expect(grown).toBeGreaterThan(small)
  expect(instance.restore(instance.initial)).toBe(true)
  expect(instance.memoryBytes()).toBe(grown)
  const now = instance.snapshot()
  expect(now?.filled.map(({ at, bytes }) => [at, bytes.length])).toEqual(
    filled.map(({ at, bytes }) => [at, bytes.length]),
  )
  expect(now?.filled.every(({ bytes }, at) => bytes.equals(filled[at]?.bytes ?? Buffer.alloc(0)))).toBe(true)
})

test('an instance that has grown too much is neither kept nor used again', async () => {
  const instance = await open()
  evaluate(instance, 'globalThis.kept = new Uint8Array(20_000_000).fill(7); 0')
  expect(instance.memoryBytes()).toBeGreaterThan(16 * megabyte)
  expect(instance.snapshot()).toBeUndefined()
  expect(instance.restore(instance.initial)).toBe(false)
})
