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
import { assert } from '../../../kit/assert.ts'
import { endWith, giveOutside, type Present } from './outside.ts'

/**
 * A wasm memory with a JavaScript in it that has run nothing but our own beginning. `rinse` makes it so again, byte for byte:
 * nothing of one program can be found by the next.
 */
export interface Vessel {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** The hold on the world within; see `Inside`. */
  readonly inside: QuickJSHandle
  /** Bytes that its memory has grown to. */
  memoryBytes(): number
  /** Makes it new, for another program. False when that cannot be: its memory has grown. */
  rinse(): boolean
  /** From now on it is the world of this program. */
  fill(next: Present): void
}

/** WebAssembly as far as it is used here: the language's own types are without it. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => never
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm }

const pageBytes = 64 * 1024
/** What the module asks for at least: 16 MB. */
const pagesMin = 256
/** 512 MB: whatever the interpreter's own count says, no world is larger. */
const pagesMax = 8_192
/** Well under what the module has for the stack of its own functions. */
const stackBytesMax = 512 * 1024

const wasmModule = new WebAssembly.Module(
  readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))),
)
// The package's types say that it is CommonJS; what is loaded is not.
const releaseSync = variant as unknown as QuickJSSyncVariant
const beginning = stripTypeScriptTypes(readFileSync(new URL('./within.ts', import.meta.url), 'utf8'))

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
    rinse: keep(memory),
    fill: (next) => {
      now = next
    },
  }
}

const zeros = Buffer.alloc(1024 * 1024)

/** Keeps what a memory holds now, and gives what makes it so again. */
function keep(memory: { readonly buffer: ArrayBuffer }): () => boolean {
  const bytes = Buffer.from(memory.buffer)
  assert(bytes.length % zeros.length === 0, 'a memory should be searched whole')
  const kept = Buffer.from(bytes.subarray(0, usedBytes(bytes)))
  return () => {
    if (memory.buffer.byteLength !== pagesMin * pageBytes) return false
    const used = usedBytes(bytes)
    bytes.set(kept, 0)
    bytes.fill(0, kept.length, Math.max(used, kept.length))
    return true
  }
}

/** Bytes up to the last megabyte that is not all zero. */
function usedBytes(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && zeros.equals(bytes.subarray(end - zeros.length, end))) end -= zeros.length
  return end
}
