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
import { createHostApi, endWith, type RunningProgram } from './host-functions.ts'

/** A QuickJS interpreter in its own wasm memory, which can be restored byte for byte to an earlier snapshot. */
export interface WasmInstance {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** The host's handle to the realm; see `GuestApi`. */
  readonly guest: QuickJSHandle
  /** The memory after the bootstrap code, before any program. */
  readonly initial: MemorySnapshot
  /** The current size of its memory in bytes. */
  memoryBytes(): number
  /** Copies its memory. Undefined when the memory has grown too large. */
  snapshot(): MemorySnapshot | undefined
  /** Restores the memory to a snapshot and zeroes the rest, so that no later data remains. False when the memory has grown too large. */
  restore(snapshot: MemorySnapshot): boolean
  /** Assigns it to a program. */
  assign(next: RunningProgram): void
}

/** The content of a wasm memory. */
export interface MemorySnapshot {
  /** Ranges that are not all zero. */
  readonly filled: readonly { readonly at: number; readonly bytes: Buffer }[]
  /** All other ranges. */
  readonly zero: readonly { readonly from: number; readonly to: number }[]
  /** Size of the memory in bytes. It may grow later: restoring zeroes what was added. */
  readonly end: number
  /** Total bytes of `filled`. */
  readonly byteCount: number
}

/** The part of WebAssembly's types that is used here; TypeScript's own library does not declare them without the DOM. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => never
  readonly Memory: new (pages: { initial: number; maximum: number }) => Memory
}

interface Memory {
  readonly buffer: ArrayBuffer
}

declare const WebAssembly: Wasm

const pageBytes = 64 * 1024
/** The minimum that the wasm module declares: 16 MB. */
const pagesDeclared = 256
/** The minimum that we give it: 8 MB. The stack takes 5 and the bootstrap code half of one; a larger memory makes each restore slower. */
const pagesMin = 128
/** A larger memory is not reused. */
const reusedBytesMax = pagesDeclared * pageBytes
/** 512 MB: an upper bound for each realm, whatever the interpreter's own accounting says. */
const pagesMax = 8_192
/** Well below the stack that the module has for its own functions. */
const stackBytesMax = 512 * 1024

const wasmModule = new WebAssembly.Module(
  withSmallerMemory(readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))),
)
// The package's types declare CommonJS; the file that is loaded is an ES module.
const releaseSync = variant as unknown as QuickJSSyncVariant
const bootstrapSource = stripTypeScriptTypes(readFileSync(new URL('./realm-bootstrap.ts', import.meta.url), 'utf8'))

/**
 * Patches the module to declare a minimum memory of `pagesMin`: a memory may not be smaller than its import declares.
 * WebAssembly Core Specification 2.0, 5.5.5 (imports), 5.3.8 (memory types), 5.2.2 (numbers in LEB128).
 */
function withSmallerMemory(bytes: Buffer): Buffer {
  const leb = (pages: number): number[] => [(pages & 0x7f) | 0x80, pages >> 7]
  // An import `a.a` of a memory with a maximum and this minimum of pages.
  const memoryImport = (pages: number): Buffer => Buffer.from([1, 0x61, 1, 0x61, 2, 1, ...leb(pages)])
  const at = bytes.indexOf(memoryImport(pagesDeclared))
  if (!(at >= 0 && bytes.indexOf(memoryImport(pagesDeclared), at + 1) < 0))
    throw new Error('expected the wasm module to import exactly one memory of 16 MB')
  return Buffer.concat([
    bytes.subarray(0, at),
    memoryImport(pagesMin),
    bytes.subarray(at + memoryImport(pagesMin).length),
  ])
}

/** Creates an instance for its first program. */
export async function createWasmInstance(present: RunningProgram): Promise<WasmInstance> {
  const memory = new WebAssembly.Memory({ initial: pagesMin, maximum: pagesMax })
  const own = newVariant(releaseSync, { wasmModule, wasmMemory: memory as never }) as QuickJSSyncVariant
  const runtime = (await newQuickJSWASMModuleFromVariant(own)).newRuntime()
  runtime.setMaxStackSize(stackBytesMax)
  let now = present
  runtime.setInterruptHandler(() => {
    const end = now.overdue()
    if (end !== null) endWith(now.output, end)
    if (now.output.end === null) return false
    // A promise under construction catches the interrupt, so a loop of promises would never end. Without memory the next
    // promise cannot be created.
    runtime.setMemoryLimit(1)
    return true
  })
  const context = runtime.newContext()
  const made = context.unwrapResult(context.evalCode(bootstrapSource, 'realm-bootstrap.ts', { type: 'module' }))
  const hostApi = createHostApi(context, () => now)
  const createGuestApi = context.getProp(made, 'default')
  const guest = context.unwrapResult(context.callFunction(createGuestApi, context.undefined, hostApi))
  // Created now so that they are part of the snapshot.
  void [context.true, context.false, context.null]
  return {
    runtime,
    context,
    guest,
    memoryBytes: () => memory.buffer.byteLength,
    initial: snapshotOf(memory),
    snapshot: () => (isTooLarge(memory) ? undefined : snapshotOf(memory)),
    restore: (snapshot) => {
      if (isTooLarge(memory)) return false
      restore(memory, snapshot)
      return true
    },
    assign: (next) => {
      now = next
    },
  }
}

const zeros = Buffer.alloc(1024 * 1024)
/** Most of a memory is zero: its stack and what was never allocated. A snapshot copies only blocks with content. */
const blockBytes = pageBytes

const isTooLarge = ({ buffer }: Memory): boolean => buffer.byteLength > reusedBytesMax

const isZero = (bytes: Buffer): boolean => bytes.equals(zeros.subarray(0, bytes.length))

function snapshotOf({ buffer }: Memory): MemorySnapshot {
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

function restore({ buffer }: Memory, { filled, zero, end }: MemorySnapshot): void {
  const memory = Buffer.from(buffer)
  for (const { at, bytes } of filled) memory.set(bytes, at)
  for (const { from, to } of [...zero, { from: end, to: memory.length }])
    for (let at = from; at < to; at += zeros.length) {
      const part = memory.subarray(at, Math.min(at + zeros.length, to))
      // Writing zeros to a page that was never touched would commit it.
      if (!isZero(part)) part.fill(0)
    }
}
