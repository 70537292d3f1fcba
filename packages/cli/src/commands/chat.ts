import type { ChatCompletionRequest } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { findLocalFile } from '../local-file.ts'
import { collected, referenceTo } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderJson } from '../render.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'

interface ChatOptions extends GlobalOptions {
  readonly input?: readonly string[]
  readonly skillId?: readonly string[]
  readonly model?: string
  readonly session?: string
}

/** `skillrun chat`: one turn of a conversation in a session. */
export function addChat(program: Command, terminal: Terminal): void {
  program
    .command('chat <TEXT>')
    .description('send a chat message and print the reply as it is generated')
    .option('-i, --input <FILE>', 'a file to attach; repeatable', collected)
    .option('--session <ID>', 'conversation to continue (default: start a new one and print its id)')
    .option('--skill-id <SKILL>', 'a stored skill, by id, NAME or NAME:VERSION; repeatable', collected)
    .option('--model <MODEL>', 'model to use (see "skillrun models")')
    .examples(
      'skillrun chat "What is the total?" -i invoice.pdf',
      'skillrun chat "And the tax?" --session 0192f0c1-…',
      'skillrun skills create --session 0192f0c1-… --name totals',
    )
    .action(async (text: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ChatOptions>()
      const client = await command.connect()
      const files = await Promise.all(
        (options.input ?? []).map((name) => findLocalFile(callerPath(name, terminal.environment), name)),
      )
      const parts: Part[] = [{ type: 'text', text }]
      for (const file of files)
        parts.push({ type: 'input_file', file_id: (await sendFile(file, { client, terminal })).id })
      const request = requestOf(options, files.length === 0 ? text : parts)
      const chunks = client.chat.stream<Chunk>(request)
      if (options.json) return terminal.print(renderJson(await completionOf(chunks)))
      const session = await printReply(chunks, terminal)
      if (session) terminal.log(`session ${printable(session)}`)
    })
}

const requestOf = (options: ChatOptions, content: string | Part[]): ChatCompletionRequest => ({
  messages: [{ role: 'user', content }],
  model: options.model,
  session_id: options.session,
  skills: options.skillId?.map(referenceTo),
})

type Part = { readonly type: 'text'; readonly text: string } | { readonly type: 'input_file'; readonly file_id: string }

/** The parts of a stream chunk that are used here. */
interface Chunk {
  readonly session_id?: string
  readonly error?: { readonly message: string }
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly refusal?: string }
    readonly finish_reason?: string | null
  }[]
}

/** Prints the text of the chunks as they arrive; returns the session id. Throws Fault `upstream` for an error in the stream. */
async function printReply(chunks: AsyncIterable<Chunk>, terminal: Terminal): Promise<string | undefined> {
  let session: string | undefined
  for await (const chunk of chunks) {
    refuseError(chunk)
    const { session_id, choices } = chunk
    session = session_id ?? session
    // Keeps line breaks and removes other control characters, which a terminal would obey.
    terminal.print((choices?.[0]?.delta?.content ?? '').replace(/[^\P{Cc}\n\t]/gu, ''))
  }
  terminal.print('\n')
  return session
}

/**
 * The chunks as one completion, as the API returns it without a stream: Node ends a request whose reply does not begin within five minutes,
 * and a turn may take ten. Throws what `printReply` throws.
 */
async function completionOf(chunks: AsyncIterable<Chunk>): Promise<object> {
  let completion: object = {}
  let text = ''
  let refusal: string | null = null
  let finish_reason: string | null = null
  for await (const chunk of chunks) {
    refuseError(chunk)
    const [choice] = chunk.choices ?? []
    text += choice?.delta?.content ?? ''
    refusal = choice?.delta?.refusal ?? refusal
    finish_reason = choice?.finish_reason ?? finish_reason
    completion = { ...completion, ...chunk }
  }
  const message = { role: 'assistant', content: refusal === null ? text : null, refusal }
  const choices = [{ index: 0, message, logprobs: null, finish_reason }]
  return { ...completion, object: 'chat.completion', choices }
}

function refuseError({ error }: Chunk): void {
  if (error) throw new Fault('upstream', 'chat_failed', printable(String(error.message)))
}
