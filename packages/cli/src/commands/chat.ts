import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import type { Command } from 'commander'
import { collected, connect, examples, type GlobalOptions } from '../options.ts'
import { callerPath } from '../paths.ts'
import { printable, renderJson } from '../render.ts'
import { sendFile } from '../send-files.ts'
import type { Terminal } from '../terminal.ts'
import { findLocalFile } from '../upload.ts'

interface ChatOptions extends GlobalOptions {
  readonly input?: readonly string[]
  readonly skillId?: readonly string[]
  readonly model?: string
  readonly session?: string
}

const path = '/v1/openai/chat/completions'

/** `skillrun chat`: one turn of a conversation, which goes on in its session. */
export function addChat(program: Command, terminal: Terminal): void {
  program
    .command('chat <TEXT>')
    .description('send a chat message and print the reply as it is generated')
    .option('-i, --input <FILE>', 'a file to attach; repeatable', collected)
    .option('--session <ID>', 'conversation to continue (default: start a new one and print its id)')
    .option('--skill-id <SKILL>', 'a stored skill, by id, NAME or NAME:VERSION; repeatable', collected)
    .option('--model <MODEL>', 'model to use (see "skillrun models")')
    .addHelpText(
      'after',
      examples(
        'skillrun chat "What is the total?" -i invoice.pdf',
        'skillrun chat "And the tax?" --session 0192f0c1-…',
        'skillrun skills create --session 0192f0c1-… --name totals',
      ),
    )
    .action(async (text: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ChatOptions>()
      const client = await connect(command, terminal)
      const files = await Promise.all(
        (options.input ?? []).map((name) => findLocalFile(callerPath(name, terminal.environment), name)),
      )
      const parts: JsonObject[] = [{ type: 'text', text }]
      for (const file of files)
        parts.push({ type: 'input_file', file_id: (await sendFile(file, { client, terminal })).id })
      const request = requestOf(options, files.length === 0 ? text : parts)
      if (options.json) {
        const json = { ...request, stream: false }
        return terminal.print(renderJson(await client.call({ method: 'POST', path, json }, terminal.signal)))
      }
      const session = await printReply(
        await client.content(path, terminal.signal, { ...request, stream: true }),
        terminal,
      )
      if (session) terminal.tell(`session ${printable(session)}`)
    })
}

const requestOf = (options: ChatOptions, content: string | JsonObject[]): JsonObject => ({
  messages: [{ role: 'user', content }],
  ...(options.model === undefined ? {} : { model: options.model }),
  ...(options.session === undefined ? {} : { session_id: options.session }),
  ...(options.skillId === undefined
    ? {}
    : { skills: options.skillId.map((id) => ({ type: 'skill_reference', skill_id: id })) }),
})

/** Prints the text of the chunks as they come; answers the session. Throws Fault `upstream` where the reply broke off. */
async function printReply(content: AsyncIterable<Uint8Array>, terminal: Terminal): Promise<string | undefined> {
  let session: string | undefined
  for await (const chunk of chunksOf(content)) {
    if (typeof chunk['session_id'] === 'string') session = chunk['session_id']
    if (isJsonObject(chunk['error']))
      throw new Fault('upstream', 'chat_failed', printable(String(chunk['error']['message'])))
    const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
    const delta = isJsonObject(choice) && isJsonObject(choice['delta']) ? choice['delta']['content'] : undefined
    // Line ends are kept; whatever else a terminal would obey is not.
    if (typeof delta === 'string') terminal.print(delta.replace(/[^\P{Cc}\n\t]/gu, ''))
  }
  terminal.print('\n')
  return session
}

/** The JSON of the server-sent events of a reply in OpenAI's form, up to `[DONE]`. */
async function* chunksOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of content) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: ?(.*)$/m.exec(block)?.[1]
      if (data === '[DONE]') return
      const chunk: unknown = data === undefined ? undefined : JSON.parse(data)
      if (isJsonObject(chunk)) yield chunk
    }
  }
  throw new Fault('unavailable', 'reply_cut', 'The connection ended before the reply was complete')
}
