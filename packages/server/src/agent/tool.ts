import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { ToolCall, ToolResult, ToolSpec } from '../adapters/models/model.ts'
import type { Transcript } from '../adapters/models/transcriber.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import type { Scripts } from '../adapters/sandbox/scripts.ts'
import type { Transcoder } from '../adapters/transcoder/transcoder.ts'
import { startDeadline } from '../core/deadline.ts'
import type { EnabledSkill } from './enabled-skill.ts'

/** A parsed document of the run, packed, under the name of its input. */
export interface ToolDocument {
  readonly input: string
  readonly packed: Uint8Array
  readonly pageCount: number
  /** The answer of `document.read` for its first page, if it was laid out already. */
  readonly firstPage?: Json | null | undefined
}

/** An artifact that a tool made. */
export interface Made {
  /**
   * The prefix of its id. Clients check the content type of each kind except `txt`: `img` is PNG or JPEG, `vid` MP4, `aud`
   * MPEG audio, `doc` PDF.
   */
  readonly kind: 'img' | 'vid' | 'aud' | 'doc' | 'txt'
  readonly filename: string
  /** Exact, without parameters: `image/png`. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The files of a run: its inputs and the artifacts of its tools. */
export interface ToolMedia {
  /** Names of the inputs that have bytes. */
  readonly names: readonly string[]
  /** The file name of an input or artifact, if known, with the extension of its format. */
  fileNameOf(name: string): Promise<string | undefined>
  /** Calls `use` with the path of a local file: an input by name, or an artifact by id. Fault `unknown_input`. */
  withBytes<T>(name: string, use: (path: string) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Saves an artifact and returns its id. */
  keep(made: Made): Promise<string>
}

/** A web page as text. */
export interface WebPage {
  readonly url: string
  readonly contentType: string
  readonly text: string
}

/** One question of a program to a language model, and the type of its answer. */
export interface ModelQuestion {
  readonly question: string
  /** The text that the question is about. */
  readonly about?: string | undefined
  readonly type: 'text' | 'number' | 'boolean'
  /** Allowed answers. */
  readonly choices?: readonly string[] | undefined
}

/** What a tool may use. */
export interface ToolContext {
  readonly documents: readonly ToolDocument[]
  readonly skills: readonly EnabledSkill[]
  readonly processPool: ProcessPool
  /** Absent if the run has no files, as in a program. */
  readonly media?: ToolMedia
  readonly transcoder?: Transcoder
  /** Transcribes a span of a local file and books its cost. Absent without a transcriber. */
  readonly transcribe?: (
    span: { name: string; path: string; fromSeconds: number; toSeconds: number },
    signal: AbortSignal,
  ) => Promise<Transcript>
  /** Generates an image and books its cost. Absent without an image generator. */
  readonly illustrate?: (
    request: { prompt: string; size: `${number}x${number}` | undefined },
    signal: AbortSignal,
  ) => Promise<Uint8Array>
  /** Asks a language model one question and books its cost. Absent without a language model. */
  readonly ask?: ((question: ModelQuestion, signal: AbortSignal) => Promise<Json>) | undefined
  /** Absent if runs have no web access. */
  readonly web?: (url: string, signal: AbortSignal) => Promise<WebPage>
  /** Absent if scripts cannot run. */
  readonly scripts?: Scripts
  readonly clock: Clock
  /** The complete result of an earlier call of this run; undefined for an unknown handle. */
  readonly recall: (handle: string) => Json | undefined
}

/**
 * A tool that a model may call. Calling it again is safe: apart from the artifacts of the run it has no side effects. When
 * it cannot do what was asked, it throws a Fault whose message is written for the model.
 */
export interface Tool {
  /** `<toolset>.<action>`, such as `document.read`. */
  readonly name: string
  readonly toolset: string
  /**
   * For the model: what it does, what it returns, its limits, when to use it. Other tools are named in backticks, as in
   * `document.read`; `specOf` writes them as the model knows them.
   */
  readonly description: string
  /** The TypeScript type of its result, shown to models that write programs; absent: any. */
  readonly answers?: string
  readonly input: z.ZodType
  /** Whether this machine has what the tool needs; absent: always. If not, it is offered only when a request names it. */
  readonly isAvailable?: () => boolean
  /** The result depends only on the input and the transcript, and is quick to compute again: it may be recorded with the next step. */
  readonly isQuick?: true
  /** The input schema that an MCP server declares; absent: derived from `input`. */
  readonly inputSchema?: JsonSchema
  readonly run: (input: never, context: ToolContext, signal: AbortSignal) => Promise<Json>
}

/** Declares a tool whose `run` takes the output of its schema. */
export const tool = <Schema extends z.ZodType>(
  declared: Omit<Tool, 'input' | 'run'> & {
    readonly input: Schema
    readonly run: (input: z.infer<Schema>, context: ToolContext, signal: AbortSignal) => Promise<Json>
  },
): Tool => declared

/** The name in requests to providers, which allow only letters, digits, `_` and `-`. */
export const wireName = ({ name }: Pick<Tool, 'name'>): string => name.replaceAll('.', '_')

const specs = new WeakMap<Tool, ToolSpec>()

/** The tool as it is declared to a model. */
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
  const description = one.inputSchema
    ? one.description
    : one.description.replaceAll(/`([a-z]+)\.([a-z_]+)`/g, '`$1_$2`')
  return { name: wireName(one), description, input: input as JsonSchema }
}

/** Time limit of one call. */
const toolWallMs = 120_000
/** A longer result is truncated, so that several fit into the context. */
const resultCharactersMax = 60_000

/**
 * Calls a tool. An unknown name, an invalid input, a failure and a timeout each give a failed result with a message for the
 * model, and the run goes on. Throws only `signal.reason`.
 */
export async function callTool(
  using: {
    tools: readonly Tool[]
    context: ToolContext
    onBug: (error: unknown) => void
    /** Longer results fail instead of being truncated: programs cannot use a part. */
    charactersMax?: number
  },
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const failed = (error: string): ToolResult => ({ id: call.id, name: call.name, output: { error }, failed: true })
  const found = using.tools.find((one) => wireName(one) === call.name)
  if (!found) return failed(`There is no tool ${call.name}; the tools are: ${using.tools.map(wireName).join(', ')}`)
  const parsed = found.input.safeParse(call.input)
  if (!parsed.success) {
    return failed(`The input is invalid: ${problemsIn(parsed.error)}`)
  }
  using deadline = startDeadline(signal, toolWallMs)
  try {
    const run = found.run(parsed.data as never, using.context, deadline.signal)
    const output = await Promise.race([run, rejectedBy(deadline.signal)])
    if (using.charactersMax === undefined)
      return { id: call.id, name: call.name, output: bounded(output), failed: false }
    if (JSON.stringify(output).length > using.charactersMax)
      return failed(`The result has more than ${using.charactersMax} characters; request less per call`)
    return { id: call.id, name: call.name, output, failed: false }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.isOver) return failed(`The tool took longer than ${toolWallMs / 1000} seconds; request less per call`)
    if (error instanceof Fault) return failed(error.message)
    using.onBug(error)
    return failed('The tool failed because of an internal error; continue without it')
  }
}

/** Rejects when the signal fires, so that a tool that ignores its signal is not waited for. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function bounded(output: Json): Json {
  const text = JSON.stringify(output)
  if (text.length <= resultCharactersMax) return output
  const note = `The result has ${text.length} characters; \`text\` holds the first ${resultCharactersMax}. Request less per call to get the rest.`
  return {
    note,
    ...(isJsonObject(output) ? {} : { isArray: Array.isArray(output) }),
    text: text.slice(0, resultCharactersMax),
  }
}

/** Validates the input and calls the tool. Throws Fault `bad_tool_input`, and what the tool throws. */
export async function validateAndCall(
  one: Tool,
  input: Json,
  { context, signal }: { context: ToolContext; signal: AbortSignal },
): Promise<Json> {
  const parsed = one.input.safeParse(input)
  if (parsed.success) return one.run(parsed.data as never, context, signal)
  throw new Fault('invalid', 'bad_tool_input', `${one.name}: the input is invalid: ${problemsIn(parsed.error)}`)
}

const problemsIn = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`).join('; ')
