import type { Command, GlobalOptions } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun models`: lists the values of `--model`. */
export function addModels(program: Command, terminal: Terminal): void {
  program
    .command('models')
    .description('list the models of the server and what answers each')
    .examples('skillrun models', 'skillrun models --json')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const found = await client.models()
      const rows = found.map((each) => [each.model, each.engine ?? '-'])
      const json = command.isJson
      terminal.print(json ? renderJson(found) : renderTable(['MODEL', 'ENGINE'], rows, terminal.columns))
    })
}

interface EmbedOptions extends GlobalOptions {
  readonly model: string
  readonly dimensions?: number
}

/** The parts of a reply that are printed. */
interface Vectors {
  readonly data: readonly { readonly embedding: readonly number[] }[]
}

/** `skillrun embed`: one vector for each text. */
export function addEmbed(program: Command, terminal: Terminal): void {
  program
    .command('embed <TEXT...>')
    .description('turn texts into vectors and print each as a line of JSON')
    .requiredOption('--model <MODEL>', 'embedding model, as in the configuration of the server')
    .option('--dimensions <N>', 'length of the vectors (default: as the model makes them)', wholeNumber(1))
    .examples(
      'skillrun embed "a late invoice" --model text-embedding-3-small',
      'skillrun embed pear plum --model text-embedding-3-small --dimensions 256 --json',
    )
    .action(async (texts: readonly string[], _: unknown, command: Command) => {
      const { json, model, dimensions } = command.optsWithGlobals<EmbedOptions>()
      const client = await command.connect()
      const body = { model, input: texts, encoding_format: 'float', dimensions }
      const reply = await client.call<Vectors>('/v1/openai/embeddings', { method: 'POST', body, slow: true })
      const lines = reply.data.map(({ embedding }) => `${JSON.stringify(embedding)}\n`)
      terminal.print(json ? renderJson(reply) : lines.join(''))
    })
}
