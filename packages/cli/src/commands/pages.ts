import type { PageWords } from '@skillrun/client/openapi.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { printable, renderJson } from '../render.ts'
import { findTarget, saveContent } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface PageOptions {
  readonly input?: string
  readonly width?: number
  readonly words?: boolean
  readonly output?: string
}

/** `page` of a stored file or of an input of an execution: a subcommand of `files` and `executions`. */
export function addPage(group: Command, terminal: Terminal, of: 'files' | 'executions'): void {
  const isFile = of === 'files'
  const command = group
    .command('page <ID> <PAGE>')
    .description(
      isFile
        ? 'render a page of a stored document or image as PNG; pages start at 0'
        : 'render a page of an inline input of an execution as PNG; pages start at 0',
    )
    .option('--width <PIXELS>', 'how wide', wholeNumber(16, 2_000))
    .option('--words', 'print the text of the page instead (of a scan by OCR)')
    .option('-o, --output <FILE>', 'where to put it; - for stdout; else ID-PAGE.png in this folder')
  if (!isFile) command.requiredOption('--input <NAME>', 'name of the input, as in the evidence')
  const own = isFile ? '' : ' --input invoice'
  command
    .examples(
      `skillrun ${of} page 0192f0c1-… 0${own} --width 1200 -o first.png`,
      `skillrun ${of} page 0192f0c1-… 0${own} --words`,
    )
    .action(async (id: string, page: string, options: PageOptions, self: Command) => {
      const client = await self.connect()
      const { json } = self.optsWithGlobals<GlobalOptions>()
      const base = isFile ? '/v1/files' : '/v1/agent/executions'
      const at = `${base}/${encodeURIComponent(id)}/pages/${encodeURIComponent(page)}`
      const { input, width } = options
      if (options.words) {
        const found = await client.call<PageWords>(`${at}/words`, { query: { input } })
        return terminal.print(json ? renderJson(found) : linesOf(found))
      }
      const target = await findTarget({ id, filename: `${id}-${page}.png` }, options.output, terminal)
      await saveContent(client.content(client.send(at, { query: { input, width } })), target, terminal.signal)
      if (target === undefined) return
      if (json) terminal.print(renderJson({ id, page, path: target }))
      else terminal.log(`wrote ${printable(target)}`)
    })
}

/** Words as lines of text that keep the columns of the page. */
function linesOf({ columns, rows, words }: PageWords): string {
  const lines: string[] = []
  for (const { text, bbox } of words) {
    const row = Math.round(bbox[1] * rows)
    while (lines.length <= row) lines.push('')
    const line = lines[row] ?? ''
    const gap = Math.max(line === '' ? 0 : 1, Math.round(bbox[0] * columns) - line.length)
    lines[row] = line + ' '.repeat(gap) + printable(text)
  }
  return lines.map((line) => `${line}\n`).join('')
}
