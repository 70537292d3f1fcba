import type { Clock } from './kit/clock.ts'
import type { Log } from './kit/log.ts'
import type { Sandbox } from './seams/sandbox/sandbox.ts'

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
