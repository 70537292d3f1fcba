import type { Json } from '@skillrun/core/json.ts'
import type { Message, Model, ModelReply, ModelRequest } from '../../adapters/models/model.ts'
import { requestTokens } from '../fit-context.ts'
import type { JudgedText } from '../judge-answer.ts'
import type { SchemaProblem } from '../schema/schema.ts'

/** The result of running a program. */
export interface ProgramRan {
  /** Empty if the turn contained no program. */
  readonly source: string
  readonly console: readonly string[]
  readonly hostCalls: number
  readonly ms: number
  readonly outcome:
    | { readonly value: Json }
    | { readonly error: { readonly code: string; readonly message: string; readonly line: number | null } }
}

/** One transcript entry of a code agent's run, after the opening. */
export type CodeEntry =
  | ({ readonly role: 'assistant' } & ModelReply)
  | { readonly role: 'program'; readonly ran: ProgramRan }
  | { readonly role: 'correction'; readonly problems: readonly SchemaProblem[] }

/** A run of the code agent: its model, its tools and its transcript so far. */
export interface CodeRun {
  /** Wrapped with retries and budget. */
  readonly model: Model
  readonly opening: ModelRequest
  /** Entries so far; `append` adds to them. */
  readonly transcript: readonly CodeEntry[]
  readonly contextTokens: number
  readonly turnsMax: number
  readonly signal: AbortSignal
  /** Records an entry, then appends it to the transcript. */
  readonly append: (entry: CodeEntry) => Promise<void>
  /** Runs the program of a turn (1-based). Tool calls recorded before a crash are not repeated. */
  readonly execute: (source: string, turn: number) => Promise<ProgramRan>
  /** How a returned value violates the schema; empty if it is valid. */
  readonly judge: (value: Json) => Promise<readonly SchemaProblem[]>
  /** Finds and checks the JSON in a text. */
  readonly judgeText: (text: string) => Promise<JudgedText>
  /** Whether the request has a schema: JSON that is valid against it is an answer even without a program. */
  readonly hasSchema: boolean
}

/** How a run of the code agent ended. `source` is the program that returned the answer, null if the model answered directly. */
export type CodeEnding =
  | { readonly ended: 'answered'; readonly answer: Json; readonly source: string | null }
  | { readonly ended: 'refused'; readonly answer: Json }
  | { readonly ended: 'violated'; readonly answer: Json; readonly problems: readonly SchemaProblem[] }
  | { readonly ended: 'out-of-turns'; readonly last: string | null }
  | { readonly ended: 'no-program'; readonly last: string | null }

/** Invalid values are sent back to the model this often. */
const correctionsMax = 3
/** The run ends after this many consecutive turns without a program. */
const withoutProgramMax = 3

/**
 * Has the model write programs until one returns a valid value. Starting and resuming are the same call: the transcript is
 * the state, and turns and programs in it are not repeated. Throws what the model, `append`, `execute` and `signal` throw.
 */
export async function writePrograms(run: CodeRun): Promise<CodeEnding> {
  const { transcript, opening, signal } = run
  for (;;) {
    const last = transcript.at(-1)
    const turns = transcript.filter((entry) => entry.role === 'assistant').length
    const isOutOfTurns = turns >= run.turnsMax
    if (last?.role === 'assistant') {
      if (last.finish === 'refusal') return { ended: 'refused', answer: last.text }
      const source = programIn(last.text)
      const direct = source === undefined ? await directAnswer(run, last) : undefined
      if (direct !== undefined) return { ended: 'answered', answer: direct, source: null }
      await run.append({
        role: 'program',
        ran: source === undefined ? noProgram(last) : await run.execute(source, turns),
      })
      continue
    }
    if (last?.role === 'program' && 'value' in last.ran.outcome) {
      const { value } = last.ran.outcome
      const problems = await run.judge(value)
      if (problems.length === 0) return { ended: 'answered', answer: value, source: last.ran.source }
      const corrections = transcript.filter((entry) => entry.role === 'correction').length
      if (isOutOfTurns || corrections >= correctionsMax) return { ended: 'violated', answer: value, problems }
      await run.append({ role: 'correction', problems })
      continue
    }
    if (wroteNone(transcript)) return { ended: 'no-program', last: lastError(transcript) }
    if (isOutOfTurns) return { ended: 'out-of-turns', last: lastError(transcript) }
    const messages = [...opening.messages, ...fitting(run)]
    const reply = await run.model.reply({ ...opening, messages }, signal)
    await run.append({ role: 'assistant', ...reply, toolCalls: [] })
  }
}

/** The JSON of a turn without a program, if it is valid against the schema. */
async function directAnswer(run: CodeRun, { text, finish }: ModelReply): Promise<Json | undefined> {
  if (!run.hasSchema || finish === 'length') return undefined
  const judged = await run.judgeText(text)
  return judged.found && judged.problems.length === 0 ? judged.answer : undefined
}

/** The program of a turn: the last code block with a default export, or the text itself if it has one and no code block. */
export function programIn(text: string): string | undefined {
  const blocks = [...text.matchAll(/```[a-z]*[ \t]*\r?\n([\s\S]*?)(?:```|$)/gi)].map((match) => match[1] ?? '')
  const isProgram = (source: string): boolean => /\bexport\s+default\b/.test(source)
  return blocks.findLast(isProgram) ?? (blocks.length === 0 && isProgram(text) ? text : undefined)
}

function noProgram({ finish }: ModelReply): ProgramRan {
  const message =
    finish === 'length'
      ? 'Your reply was cut off at the output limit; write a shorter program'
      : 'Your reply contains no program; reply with one ```ts block that has a default export'
  return {
    source: '',
    console: [],
    hostCalls: 0,
    ms: 0,
    outcome: { error: { code: 'no_program', message, line: null } },
  }
}

function wroteNone(transcript: readonly CodeEntry[]): boolean {
  const programs = transcript
    .flatMap((entry) => (entry.role === 'program' ? [entry.ran] : []))
    .slice(-withoutProgramMax)
  return programs.length === withoutProgramMax && programs.every(({ source }) => source === '')
}

function lastError(transcript: readonly CodeEntry[]): string | null {
  const last = transcript.findLast((entry) => entry.role === 'program')
  return last?.role === 'program' && 'error' in last.ran.outcome ? last.ran.outcome.error.message : null
}

/** The transcript as messages: the latest turns that fit the context. */
function fitting({ transcript, opening, contextTokens }: CodeRun): readonly Message[] {
  const turns: Message[][] = []
  for (const message of messagesOf(transcript, Math.min(printedCharactersMax, contextTokens))) {
    if (message.role === 'assistant') turns.push([message])
    else turns.at(-1)?.push(message)
  }
  const room = contextTokens - opening.outputTokensMax
  const tokensOf = (messages: readonly Message[]): number =>
    requestTokens({ ...opening, messages: [...opening.messages, ...messages] })
  while (turns.length > 1 && tokensOf(turns.flat()) > room) turns.shift()
  return turns.flat()
}

/**
 * The transcript as messages; results of programs are user messages. `printedMax`: characters of console output shown for a
 * program that returned nothing.
 */
export function messagesOf(transcript: readonly CodeEntry[], printedMax = printedCharactersMax): readonly Message[] {
  const messages: Message[] = []
  let pending: string[] = []
  const flush = (): void => {
    if (pending.length > 0) messages.push({ role: 'user', parts: [{ kind: 'text', text: pending.join('\n\n') }] })
    pending = []
  }
  for (const entry of transcript) {
    if (entry.role === 'program') pending.push(...ranText(entry.ran, printedMax))
    else if (entry.role === 'correction') pending.push(correctionText(entry.problems))
    else {
      flush()
      const { text, continuation } = entry
      messages.push({ role: 'assistant', text, toolCalls: [], continuation })
    }
  }
  flush()
  return messages
}

const consoleCharactersMax = 6_000
/** A program that returns nothing prints what the model wants to read: a skill's instructions, or a page of a document. */
const printedCharactersMax = 60_000
const valueCharactersMax = 2_000

function ranText({ source, console, hostCalls, ms, outcome }: ProgramRan, printedMax: number): string[] {
  const isExploration = 'error' in outcome && outcome.error.code === 'program_nothing'
  const output = cut(
    console.join('\n'),
    isExploration ? Math.max(printedMax, consoleCharactersMax) : consoleCharactersMax,
  )
  const facts = source === '' ? [] : [`The program ran for ${Math.round(ms)} ms and made ${hostCalls} tool calls.`]
  const printed = output === '' ? [] : [`Console output:\n${output}`]
  if ('value' in outcome)
    return [...facts, ...printed, `It returned: ${cut(JSON.stringify(outcome.value), valueCharactersMax)}`]
  if (isExploration)
    return [
      ...facts,
      ...printed,
      'It returned nothing, so there is no answer yet. Reply with the next complete program.',
    ]
  const { message, line } = outcome.error
  const place = line === null ? '' : ` in line ${line}`
  const code = line === null ? undefined : source.split('\n')[line - 1]?.trim()
  const failure = source === '' ? message : `It failed${place}: ${message}`
  const shown = code ? `\n${line} | ${cut(code, 200)}` : ''
  return [...facts, ...printed, `${failure}${shown}`, 'Reply with the complete corrected program.']
}

const correctionText = (problems: readonly SchemaProblem[]): string =>
  [
    'The returned value is not valid against the schema:',
    ...problems.map(({ pointer, message }) => `- ${pointer === '' ? '' : `${pointer}: `}${message}`),
    'Reply with the complete corrected program.',
  ].join('\n')

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
