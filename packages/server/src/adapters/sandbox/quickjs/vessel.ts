import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { endWith, giveOutside, type Present } from './outside.ts'

/** A wasm memory with a JavaScript in it. What it held at one moment it can be made to hold again, byte for byte. */
export interface Vessel {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** The hold on the world within; see `Inside`. */
  readonly inside: QuickJSHandle
  /** What it held when it had run nothing but our own beginning. */
  readonly beginning: Kept
  /** Bytes that its memory has grown to. */
  memoryBytes(): number
  /** Keeps what it holds now. Undefined when its memory has grown too much. */
  keep(): Kept | undefined
  /** Makes it hold that again, and nothing else: nothing that came later can be found. False when its memory has grown too much. */
  restore(kept: Kept): boolean
  /** From now on it is the world of this program. */
  fill(next: Present): void
}

/** What a memory held. */
export interface Kept {
  /** What is not all zero, and where. */
  readonly filled: readonly { readonly at: number; readonly bytes: Buffer }[]
  /** All else. */
  readonly zero: readonly { readonly from: number; readonly to: number }[]
  /** Of the memory, which may have grown since: what was added is to be zero. */
  readonly end: number
  /** Of `filled`. */
  readonly byteCount: number
}

/** WebAssembly as far as it is used here: the language's own types are without it. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => never
  readonly Memory: new (pages: { initial: number; maximum: number }) => Memory
}

interface Memory {
  readonly buffer: ArrayBuffer
}

declare const WebAssembly: Wasm

const pageBytes = 64 * 1024
/** What the module asks for at least: 16 MB. */
const pagesAsked = 256
/** What it is given: 8 MB, of which its stack takes 5 and our own beginning half a one. The rest would be looked through for each program. */
const pagesMin = 128
/** A memory that has grown beyond this is not used again. */
const usedAgainBytesMax = pagesAsked * pageBytes
/** 512 MB: whatever the interpreter's own count says, no world is larger. */
const pagesMax = 8_192
/** Well under what the module has for the stack of its own functions. */
const stackBytesMax = 512 * 1024

const wasmModule = new WebAssembly.Module(
  askingForLess(readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))),
)
// The package's types say that it is CommonJS; what is loaded is not.
const releaseSync = variant as unknown as QuickJSSyncVariant
const beginning = stripTypeScriptTypes(readFileSync(new URL('./within.ts', import.meta.url), 'utf8'))

/**
 * The module as it asks for `pagesMin`: a memory may not be smaller than its import says. WebAssembly Core Specification 2.0, 5.5.5
 * (imports), 5.3.8 (memory types), 5.2.2 (numbers in LEB128).
 */
function askingForLess(bytes: Buffer): Buffer {
  const leb = (pages: number): number[] => [(pages & 0x7f) | 0x80, pages >> 7]
  // `a` of the module `a`, a memory, with a maximum, of at least so many pages.
  const asked = (pages: number): Buffer => Buffer.from([1, 0x61, 1, 0x61, 2, 1, ...leb(pages)])
  const at = bytes.indexOf(asked(pagesAsked))
  if (!(at >= 0 && bytes.indexOf(asked(pagesAsked), at + 1) < 0))
    throw new Error('the wasm module should import one memory of 16 MB')
  return Buffer.concat([bytes.subarray(0, at), asked(pagesMin), bytes.subarray(at + asked(pagesMin).length)])
}

/** Makes a vessel for a first program. */
export async function makeVessel(present: Present): Promise<Vessel> {
  const memory = new WebAssembly.Memory({ initial: pagesMin, maximum: pagesMax })
  const own = newVariant(releaseSync, { wasmModule, wasmMemory: memory as never }) as QuickJSSyncVariant
  const runtime = (await newQuickJSWASMModuleFromVariant(own)).newRuntime()
  runtime.setMaxStackSize(stackBytesMax)
  let now = present
  runtime.setInterruptHandler(() => {
    const end = now.overdue()
    if (end !== null) endWith(now.said, end)
    if (now.said.end === null) return false
    // A promise that is made takes an interrupt for its own failure, and a loop may make them at every look: without
    // memory it makes none.
    runtime.setMemoryLimit(1)
    return true
  })
  const context = runtime.newContext()
  const made = context.unwrapResult(context.evalCode(beginning, 'within.ts', { type: 'module' }))
  const outside = giveOutside(context, () => now)
  const within = context.getProp(made, 'default')
  const inside = context.unwrapResult(context.callFunction(within, context.undefined, outside))
  // Made here, so that they lie in what is kept.
  void [context.true, context.false, context.null]
  return {
    runtime,
    context,
    inside,
    memoryBytes: () => memory.buffer.byteLength,
    beginning: keep(memory),
    keep: () => (isTooLarge(memory) ? undefined : keep(memory)),
    restore: (kept) => {
      if (isTooLarge(memory)) return false
      restore(memory, kept)
      return true
    },
    fill: (next) => {
      now = next
    },
  }
}

const zeros = Buffer.alloc(1024 * 1024)
/** A memory is mostly empty: its stack, and what was never asked for. Only blocks of it that are not are kept. */
const blockBytes = pageBytes

const isTooLarge = ({ buffer }: Memory): boolean => buffer.byteLength > usedAgainBytesMax

const isZero = (bytes: Buffer): boolean => bytes.equals(zeros.subarray(0, bytes.length))

function keep({ buffer }: Memory): Kept {
  const bytes = Buffer.from(buffer)
  const filled: { at: number; bytes: Buffer }[] = []
  const zero: { from: number; to: number }[] = []
  for (let from = 0; from < bytes.length; ) {
    const isEmpty = isZero(bytes.subarray(from, from + blockBytes))
    let to = from + blockBytes
    while (to < bytes.length && isZero(bytes.subarray(to, to + blockBytes)) === isEmpty) to += blockBytes
    if (isEmpty) zero.push({ from, to })
    else filled.push({ at: from, bytes: Buffer.from(bytes.subarray(from, to)) })
    from = to
  }
  return { filled, zero, end: bytes.length, byteCount: filled.reduce((sum, one) => sum + one.bytes.length, 0) }
}

function restore({ buffer }: Memory, { filled, zero, end }: Kept): void {
  const memory = Buffer.from(buffer)
  for (const { at, bytes } of filled) memory.set(bytes, at)
  for (const { from, to } of [...zero, { from: end, to: memory.length }])
    for (let at = from; at < to; at += zeros.length) {
      const part = memory.subarray(at, Math.min(at + zeros.length, to))
      // What was never written is not made real memory by writing zeros to it.
      if (!isZero(part)) part.fill(0)
    }
}
