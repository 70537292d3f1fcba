import type { ArtifactPlace } from '@skillrun/client/skillrun.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { renderJson, renderTable } from '../render.ts'
import { findTarget, saveContent } from '../save.ts'
import type { Terminal } from '../terminal.ts'

interface Place extends GlobalOptions {
  readonly execution?: string
  readonly session?: string
  readonly output?: string
}

/** `skillrun artifacts`: files made by runs. */
export function addArtifacts(program: Command, terminal: Terminal): void {
  const artifacts = program
    .command('artifacts')
    .description('list and download files made by executions')
    .examples('skillrun artifacts list --execution 0192f0c1-…')
  placed(artifacts.command('list').description('list the files made by an execution or a session'))
    .examples('skillrun artifacts list --execution 0192f0c1-…', 'skillrun artifacts list --session accounts-2026')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<Place>()
      const { items: found } = await (await command.connect()).artifacts.list(placeOf(options))
      if (options.json) return terminal.print(renderJson(found))
      const rows = found.map((each) => [each.object_id, each.source, each.filename])
      terminal.print(renderTable(['ID', 'SOURCE', 'NAME'], rows, terminal.columns))
    })
  placed(artifacts.command('download <ID>').description('download a file made by an execution'))
    .option(
      '-o, --output <FILE>',
      'where to put it; - for stdout; else its own name in this folder, if nothing has that name',
    )
    .examples('skillrun artifacts download img_a1b2c3 --execution 0192f0c1-… -o chart.png')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<Place>()
      const client = await command.connect()
      // The name comes from the list, which is limited: older artifacts need -o.
      const known =
        options.output === undefined
          ? (await client.artifacts.list(placeOf(options))).items.find((each) => each.object_id === id)
          : undefined
      const target = await findTarget({ id, filename: known?.filename ?? id }, options.output, terminal)
      const reply = client.artifacts.content({ ...placeOf(options), object_id: id })
      await saveContent(client.content(reply), target, terminal.signal)
      if (target === undefined) return
      if (options.json) terminal.print(renderJson({ object_id: id, path: target }))
      else terminal.log(`wrote ${target}`)
    })
}

const placed = (command: Command): Command =>
  command.option('--execution <ID>', 'execution that made it').option('--session <ID>', 'session that made it')

function placeOf({ execution, session }: Place): ArtifactPlace {
  if ((execution === undefined) === (session === undefined))
    throw new Fault('invalid', 'one_place', 'Say where it was made, by exactly one of --execution and --session')
  return execution === undefined ? { session_id: session ?? '' } : { execution_id: execution }
}
