import type { Json } from '@skillrun/core/json.ts'
import type { Message, Model, ModelReply, ModelRequest } from '../adapters/models/model.ts'
import { requestTokens } from './fit-context.ts'
import type { JudgedText } from './judge-answer.ts'
import type { SchemaProblem } from './schema.ts'

/** What came of running a program. */
export interface ProgramRan {
  /** Empty where the turn held no program. */
  readonly source: string
  readonly console: readonly string[]
  readonly hostCalls: number
  readonly ms: number
  readonly outcome:
    | { readonly value: Json }
    | { readonly error: { readonly code: string; readonly message: string; readonly line: number | null } }
}

/** One entry of what was said in a run after its opening, in the order in which it was recorded. */
export type CodeEntry =
  | ({ readonly role: 'assistant' } & ModelReply)
  | { readonly role: 'program'; readonly ran: ProgramRan }
  | { readonly role: 'correction'; readonly problems: readonly SchemaProblem[] }

/** A run of the code agent: what it thinks with, and its transcript so far. */
export interface CodeRun {
  /** With retries, budget and all else around it. */
  readonly model: Model
  readonly opening: ModelRequest
  /** What was said since; `say` adds to it. */
  readonly transcript: readonly CodeEntry[]
  readonly contextTokens: number
  readonly turnsMax: number
  readonly signal: AbortSignal
  /** Records an entry, then adds it to the transcript. */
  readonly say: (entry: CodeEntry) => Promise<void>
  /** Runs the program of a turn, the first is 1. A call that it made before a crash is not made again. */
  readonly execute: (source: string, turn: number) => Promise<ProgramRan>
  /** What speaks against a returned value. */
  readonly judge: (value: Json) => Promise<readonly SchemaProblem[]>
  /** The same of the JSON in a text. */
  readonly judgeText: (text: string) => Promise<JudgedText>
  /** Whether the answer has a schema: JSON that fits it is then an answer, also where the model wrote no program. */
  readonly hasSchema: boolean
}

/** How a run of the code agent ended; `source` is the program that gave the answer, null where the model gave it directly. */
export type CodeEnding =
  | { readonly ended: 'answered'; readonly answer: Json; readonly source: string | null }
  | { readonly ended: 'refused'; readonly answer: Json }
  | { readonly ended: 'violated'; readonly answer: Json; readonly problems: readonly SchemaProblem[] }
  | { readonly ended: 'out-of-turns'; readonly last: string | null }
  | { readonly ended: 'no-program'; readonly last: string | null }

/** Values that do not fit the schema go back this often. */
const correctionsMax = 3
/** A model that has written no program this often in a row will not write one. */
const withoutProgramMax = 3

/**
 * Writes programs until one returns a value that fits. Beginning and going on are the same call, for the transcript is the
 * state: a turn or a program that it holds is not made again. Throws what the model, `say`, `execute` and `signal` throw.
 */
export async function writePrograms(run: CodeRun): Promise<CodeEnding> {
  const { transcript, opening, signal } = run
  for (;;) {
    const last = transcript.at(-1)
    const turns = transcript.filter((entry) => entry.role === 'assistant').length
    if (last?.role === 'assistant') {
      if (last.finish === 'refusal') return { ended: 'refused', answer: last.text }
      const source = programIn(last.text)
      const direct = source === undefined ? await directAnswer(run, last) : undefined
      if (direct !== undefined) return { ended: 'answered', answer: direct, source: null }
      await run.say({ role: 'program', ran: source === undefined ? noProgram(last) : await run.execute(source, turns) })
      continue
    }
    if (last?.role === 'program' && 'value' in last.ran.outcome) {
      const { value } = last.ran.outcome
      const problems = await run.judge(value)
      if (problems.length === 0) return { ended: 'answered', answer: value, source: last.ran.source }
      const corrections = transcript.filter((entry) => entry.role === 'correction').length
      if (corrections >= correctionsMax) return { ended: 'violated', answer: value, problems }
      await run.say({ role: 'correction', problems })
      continue
    }
    if (wroteNone(transcript)) return { ended: 'no-program', last: lastError(transcript) }
    if (turns >= run.turnsMax) return { ended: 'out-of-turns', last: lastError(transcript) }
    const messages = [...opening.messages, ...fitting(run)]
    const reply = await run.model.reply({ ...opening, messages }, signal)
    await run.say({ role: 'assistant', ...reply, toolCalls: [] })
  }
}

/** The JSON of a turn without a program, where it fits the schema. */
async function directAnswer(run: CodeRun, { text, finish }: ModelReply): Promise<Json | undefined> {
  if (!run.hasSchema || finish === 'length') return undefined
  const judged = await run.judgeText(text)
  return judged.found && judged.problems.length === 0 ? judged.answer : undefined
}

/** The program of a turn: the last block of code that has a default export, or a text that is one. */
export function programIn(text: string): string | undefined {
  const blocks = [...text.matchAll(/```[a-z]*[ \t]*\r?\n([\s\S]*?)(?:```|$)/gi)].map((match) => match[1] ?? '')
  const isProgram = (source: string): boolean => /\bexport\s+default\b/.test(source)
  return blocks.findLast(isProgram) ?? (blocks.length === 0 && isProgram(text) ? text : undefined)
}

function noProgram({ finish }: ModelReply): ProgramRan {
  const message =
    finish === 'length'
      ? 'The answer was cut off, for it was too long; write a shorter program'
      : 'There is no program; answer with one ```ts block that has a default export'
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

/** What was said, as the model reads it: of many turns the last ones that its context holds. */
function fitting({ transcript, opening, contextTokens }: CodeRun): readonly Message[] {
  const turns: Message[][] = []
  for (const message of messagesOf(transcript, Math.min(lookCharactersMax, contextTokens))) {
    if (message.role === 'assistant') turns.push([message])
    else turns.at(-1)?.push(message)
  }
  const room = contextTokens - opening.outputTokensMax
  const tokensOf = (messages: readonly Message[]): number =>
    requestTokens({ ...opening, messages: [...opening.messages, ...messages] })
  while (turns.length > 1 && tokensOf(turns.flat()) > room) turns.shift()
  return turns.flat()
}

/** The transcript as messages: what came of each program is what the user says to it. `lookMax`: characters of what a look printed. */
export function messagesOf(transcript: readonly CodeEntry[], lookMax = lookCharactersMax): readonly Message[] {
  const messages: Message[] = []
  let told: string[] = []
  const tell = (): void => {
    if (told.length > 0) messages.push({ role: 'user', parts: [{ kind: 'text', text: told.join('\n\n') }] })
    told = []
  }
  for (const entry of transcript) {
    if (entry.role === 'program') told.push(...ranText(entry.ran, lookMax))
    else if (entry.role === 'correction') told.push(correctionText(entry.problems))
    else {
      tell()
      const { text, continuation } = entry
      messages.push({ role: 'assistant', text, toolCalls: [], continuation })
    }
  }
  tell()
  return messages
}

const consoleCharactersMax = 6_000
/** What a program prints that returned nothing is read: the instructions of a skill, or a page of a document. */
const lookCharactersMax = 60_000
const valueCharactersMax = 2_000

function ranText({ source, console, hostCalls, ms, outcome }: ProgramRan, lookMax: number): string[] {
  const isLook = 'error' in outcome && outcome.error.code === 'program_nothing'
  const said = cut(console.join('\n'), isLook ? Math.max(lookMax, consoleCharactersMax) : consoleCharactersMax)
  const facts = source === '' ? [] : [`The program ran for ${Math.round(ms)} ms and made ${hostCalls} calls of tools.`]
  const printed = said === '' ? [] : [`Its console:\n${said}`]
  if ('value' in outcome)
    return [...facts, ...printed, `It returned: ${cut(JSON.stringify(outcome.value), valueCharactersMax)}`]
  if (isLook)
    return [...facts, ...printed, 'It returned nothing: there is no answer yet. Write the next whole program.']
  const { message, line } = outcome.error
  const place = line === null ? '' : ` in line ${line}`
  const code = line === null ? undefined : source.split('\n')[line - 1]?.trim()
  const failure = source === '' ? message : `It failed${place}: ${message}`
  const shown = code ? `\n${line} | ${cut(code, 200)}` : ''
  return [...facts, ...printed, `${failure}${shown}`, 'Answer with the whole program, mended.']
}

const correctionText = (problems: readonly SchemaProblem[]): string =>
  [
    'What it returned does not fit the schema:',
    ...problems.map(({ pointer, message }) => `- ${pointer === '' ? '' : `${pointer}: `}${message}`),
    'Answer with the whole program, mended.',
  ].join('\n')

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
