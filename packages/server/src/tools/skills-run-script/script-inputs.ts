import { readFile, stat } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import type { ScriptInput } from '../../adapters/sandbox/scripts.ts'
import type { ToolContext } from '../../agent/tool.ts'

const countMax = 100
const bytesMax = 64 * 1024 * 1024
const nameCharactersMax = 200

/** Format signatures, for inputs without a file name. */
const heads: readonly (readonly [string, string])[] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG'],
  ['jpg', '\xff\xd8\xff'],
  ['zip', 'PK\x03\x04'],
]

/** Names of the inputs of a run, including text inputs. */
const inputNames = ({ media, documents }: ToolContext): readonly string[] => [
  ...new Set([...(media?.names ?? []), ...documents.map(({ input }) => input)]),
]

/**
 * The inputs of a script: those named in `wanted`, which may be artifacts, or all of the run. Each is a file named after its slot and, if
 * its format is known, also with an extension. Faults `unknown_input`, `script_inputs_too_large`.
 */
export async function scriptInputs(
  context: ToolContext,
  wanted: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly ScriptInput[]> {
  const { media } = context
  if (!media) return []
  const names = wanted ?? inputNames(context)
  if (names.length > countMax) throw tooLarge(`${names.length} files; at most ${countMax} are allowed`)
  const inputs: ScriptInput[] = []
  const taken = new Set<string>()
  let left = bytesMax
  for (const name of names) {
    const bytes = await media.withBytes(
      name,
      async (path) => {
        if ((await stat(path)).size > left) throw tooLarge(`more than ${bytesMax} bytes`)
        return readFile(path)
      },
      signal,
    )
    left -= bytes.length
    inputs.push({ ...pathOf(name, extensionOf(await media.fileNameOf(name), bytes), taken), bytes })
  }
  return inputs
}

const tooLarge = (what: string): Fault =>
  new Fault(
    'too_large',
    'script_inputs_too_large',
    `The inputs of the script have ${what}; name fewer of them in inputs`,
  )

function extensionOf(fileName: string | undefined, bytes: Uint8Array): string | undefined {
  const given = /\.([a-z0-9]{1,10})$/i.exec(fileName ?? '')?.[1]
  if (given !== undefined) return given.toLowerCase()
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return heads.find(([, head]) => start.startsWith(head))?.[0]
}

/** A safe path for an input, with its name without the extension as an alias. No two inputs share a name. */
function pathOf(name: string, extension: string | undefined, taken: Set<string>): Pick<ScriptInput, 'path' | 'alias'> {
  const safe = name.slice(0, nameCharactersMax).split('/').map(safeStep).join('/')
  const hasExtension = extension === undefined || safe.toLowerCase().endsWith(`.${extension}`)
  const [first = '', ...rest] = safe.split('/')
  for (let number = 1; ; number++) {
    // Below a name that is taken none is free.
    const alias = number === 1 ? safe : [`${first}-${number}`, ...rest].join('/')
    const path = hasExtension ? alias : `${alias}.${extension}`
    // A name must not be a folder of another one either.
    const isFree = [path, alias].every(
      (one) =>
        !taken.has(one) && ![...taken].some((other) => other.startsWith(`${one}/`) || one.startsWith(`${other}/`)),
    )
    if (!isFree) continue
    for (const one of [path, alias]) taken.add(one)
    return path === alias ? { path } : { path, alias }
  }
}

function safeStep(step: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced.
  const plain = step.replaceAll(/[\u0000-\u001f\u007f\\:]/g, '_').trim()
  return /^\.*$/.test(plain) ? '_' : plain
}
