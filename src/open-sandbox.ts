import type { Clock } from './kit/clock.ts'
import type { Log } from './kit/log.ts'
import type { Sandbox } from './seams/sandbox/sandbox.ts'
import { refusedScripts, type Scripts } from './seams/sandbox/scripts.ts'

/**
 * The sandbox of this machine, opened when the first program runs: within bubblewrap where that can be had. A start pays nothing for
 * it.
 */
export function makeOpenSandbox({ clock, log }: { clock: Pick<Clock, 'monotonicMs'>; log: Log }): Sandbox {
  let opening: Promise<Sandbox> | undefined
  const open = (): Promise<Sandbox> => {
    opening ??= openSandbox({ clock, log })
    return opening
  }
  return {
    run: async (run) => (await open()).run(run),
    close: async () => (await opening)?.close(),
  }
}

/** Scripts of skills on this machine, looked for when the first one runs; refused in words where there is no bubblewrap. */
export function makeOpenScripts({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): Scripts {
  let opening: Promise<Scripts> | undefined
  const open = async (): Promise<Scripts> => {
    const [{ findBubblewrap, stranger }, { createBubblewrapScripts }] = await Promise.all([
      import('./seams/sandbox/bubblewrap.ts'),
      import('./seams/sandbox/bubblewrap/bubblewrap-scripts.ts'),
    ])
    const looked = await findBubblewrap({ PATH: process.env['PATH'] }, stranger)
    if ('missing' in looked) return refusedScripts(looked.missing)
    return createBubblewrapScripts({ clock, bubblewrap: looked.found })
  }
  return {
    run: async (run) => {
      opening ??= open()
      return (await opening).run(run)
    },
  }
}

async function openSandbox({ clock, log }: { clock: Pick<Clock, 'monotonicMs'>; log: Log }): Promise<Sandbox> {
  const [{ findBubblewrap }, { createQuickjsSandbox, quickjsSandboxDefaults }] = await Promise.all([
    import('./seams/sandbox/bubblewrap.ts'),
    import('./seams/sandbox/quickjs/quickjs-sandbox.ts'),
  ])
  const bubblewrap = await findBubblewrap({ PATH: process.env['PATH'] })
  if ('missing' in bubblewrap) log.warn({ why: bubblewrap.missing }, 'programs run without bubblewrap around them')
  const found = 'found' in bubblewrap ? bubblewrap.found : undefined
  return createQuickjsSandbox({ ...quickjsSandboxDefaults, clock, bubblewrap: found })
}
