import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { ToolCall, ToolResult, ToolSpec } from '../adapters/models/model.ts'
import type { Transcript } from '../adapters/models/transcriber.ts'
import type { Workshop } from '../adapters/process-pool/process-pool.ts'
import type { Scripts } from '../adapters/sandbox/scripts.ts'
import type { Transcoder } from '../adapters/transcoder/transcoder.ts'
import type { EnabledSkill } from './enabled-skill.ts'

/** A document of the run, read and packed, under the name of its input. */
export interface ToolDocument {
  readonly input: string
  readonly packed: Uint8Array
  readonly pageCount: number
  /** Its first page from its first line, where it was laid out already: what `document.read` answers of it. */
  readonly firstPage?: Json | null | undefined
}

/** Something that a tool made. */
export interface Made {
  /**
   * What its id begins with. Clients check the content type of each kind but `txt`: `img` is PNG or JPEG, `vid` MP4, `aud` MPEG
   * audio, `doc` PDF.
   */
  readonly kind: 'img' | 'vid' | 'aud' | 'doc' | 'txt'
  readonly filename: string
  /** Exact, without parameters: `image/png`. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The bytes of a run: what came in, and what its tools made. */
export interface ToolMedia {
  /** Names of the inputs that have bytes. */
  readonly names: readonly string[]
  /** Calls `use` with a local file that holds an input, or an artifact by its id. Fault `unknown_input`. */
  withBytes<T>(name: string, use: (path: string) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Keeps what was made; gives the id by which it is referred to. */
  keep(made: Made): Promise<string>
}

/** A page of the web as text. */
export interface WebPage {
  readonly url: string
  readonly contentType: string
  readonly text: string
}

/** One small question to a language model, and the form of its answer. */
export interface ModelQuestion {
  readonly question: string
  /** The text that it is about. */
  readonly about?: string | undefined
  readonly type: 'text' | 'number' | 'boolean'
  /** The answer is one of these. */
  readonly choices?: readonly string[] | undefined
}

/** All that a tool may use. */
export interface ToolContext {
  readonly documents: readonly ToolDocument[]
  /** Those that are enabled in the run. */
  readonly skills: readonly EnabledSkill[]
  readonly workshop: Workshop
  /** Absent where a run has no files, as in a program. */
  readonly media?: ToolMedia
  readonly transcoder?: Transcoder
  /** Writes down what is said in a stretch of a local file, and books what that costs. Absent where nobody hears. */
  readonly hear?: (
    stretch: { name: string; path: string; fromSeconds: number; toSeconds: number },
    signal: AbortSignal,
  ) => Promise<Transcript>
  /** Has a picture made from words. Absent where nobody does. */
  readonly illustrate?: (
    wish: { prompt: string; size: `${number}x${number}` | undefined },
    signal: AbortSignal,
  ) => Promise<Uint8Array>
  /** Asks a language model a small question, and books what that costs. Absent where there is none. */
  readonly ask?: ((question: ModelQuestion, signal: AbortSignal) => Promise<Json>) | undefined
  /** Absent where runs may not read the web. */
  readonly web?: (url: string, signal: AbortSignal) => Promise<WebPage>
  /** Absent where scripts of skills have no part. */
  readonly scripts?: Scripts
  readonly clock: Clock
  /** The result of an earlier call of this run by its handle, in full. */
  readonly recall: (handle: string) => Json | undefined
}

/**
 * Something that a model may do. A tool is safe to call again: it changes nothing but what it answers. It throws a Fault
 * with one sentence for the model where it cannot do what it was asked.
 */
export interface Tool {
  /** `document.read`. */
  readonly name: string
  readonly toolset: string
  /** For the model: what it does, when to use it, what it answers. */
  readonly description: string
  /** Its answer as a TypeScript type, for whoever writes programs; absent: any. */
  readonly answers?: string
  readonly input: z.ZodType
  /** Whether this machine has what it needs; absent: it always does. Where it has not, it is offered to those alone who name it. */
  readonly isThere?: () => boolean
  /** Its input as somebody else's server tells it; absent: as `input` says. */
  readonly inputSchema?: JsonSchema
  readonly run: (input: never, context: ToolContext, signal: AbortSignal) => Promise<Json>
}

/** Declares a tool whose `run` takes what its schema gives. */
export const tool = <Schema extends z.ZodType>(
  declared: Omit<Tool, 'input' | 'run'> & {
    readonly input: Schema
    readonly run: (input: z.infer<Schema>, context: ToolContext, signal: AbortSignal) => Promise<Json>
  },
): Tool => declared

/** Providers take letters, digits, `_` and `-` alone in the names of tools. */
export const wireName = ({ name }: Pick<Tool, 'name'>): string => name.replaceAll('.', '_')

const specs = new WeakMap<Tool, ToolSpec>()

/** The tool as a model is told of it. */
export function specOf(one: Tool): ToolSpec {
  const known = specs.get(one)
  if (known) return known
  const made = makeSpec(one)
  specs.set(one, made)
  return made
}

function makeSpec(one: Tool): ToolSpec {
  const { $schema: _dialect, ...input } =
    one.inputSchema ?? z.toJSONSchema(one.input, { target: 'draft-7', io: 'input' })
  return { name: wireName(one), description: one.description, input: input as JsonSchema }
}

/** One call of a tool may take this long. */
const toolWallMs = 120_000
/** A longer result is cut: it must fit a context with others. */
const resultCharactersMax = 60_000

/**
 * Calls a tool and gives what it answered. A call that cannot be made, an input that does not fit, a tool that fails or
 * takes too long: each is a failed result in words for the model, and the run goes on. Throws `signal.reason` alone.
 */
export async function callTool(
  using: {
    tools: readonly Tool[]
    context: ToolContext
    onBug: (error: unknown) => void
    /** Longer results fail instead of being cut: for programs, which cannot use a piece. */
    charactersMax?: number
  },
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const failed = (error: string): ToolResult => ({ id: call.id, name: call.name, output: { error }, failed: true })
  const found = using.tools.find((one) => wireName(one) === call.name)
  if (!found) return failed(`There is no tool ${call.name}; there are ${using.tools.map(wireName).join(', ')}`)
  const parsed = found.input.safeParse(call.input)
  if (!parsed.success) {
    const told = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the input'}: ${issue.message}`)
    return failed(`The input does not fit: ${told.join('; ')}`)
  }
  const deadline = AbortSignal.timeout(toolWallMs)
  const either = AbortSignal.any([signal, deadline])
  try {
    const run = found.run(parsed.data as never, using.context, either)
    const output = await Promise.race([run, rejectedBy(either)])
    if (using.charactersMax === undefined)
      return { id: call.id, name: call.name, output: bounded(output), failed: false }
    if (JSON.stringify(output).length > using.charactersMax)
      return failed(`The result has more than ${using.charactersMax} characters; ask for less at once`)
    return { id: call.id, name: call.name, output, failed: false }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.aborted) return failed(`The tool took longer than ${toolWallMs / 1000} seconds`)
    if (error instanceof Fault) return failed(error.message)
    using.onBug(error)
    return failed('The tool failed on our side; do without it')
  }
}

/** A tool that does not look at its signal is left behind when it fires. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function bounded(output: Json): Json {
  const text = JSON.stringify(output)
  if (text.length <= resultCharactersMax) return output
  const note = `The result has ${text.length} characters; these are the first ${resultCharactersMax}. Ask for less at once.`
  return {
    note,
    ...(isJsonObject(output) ? {} : { isArray: Array.isArray(output) }),
    text: text.slice(0, resultCharactersMax),
  }
}

/** Calls a tool with an input that its schema is held before. Throws Fault `bad_tool_input`, and what the tool throws. */
export async function callFitting(
  one: Tool,
  input: Json,
  { context, signal }: { context: ToolContext; signal: AbortSignal },
): Promise<Json> {
  const parsed = one.input.safeParse(input)
  if (parsed.success) return one.run(parsed.data as never, context, signal)
  const told = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the input'}: ${issue.message}`)
  throw new Fault('invalid', 'bad_tool_input', `${one.name}: the input does not fit: ${told.join('; ')}`)
}
