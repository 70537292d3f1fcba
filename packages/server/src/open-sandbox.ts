import type { Clock } from '@skillrun/core/clock.ts'
import type { FindBubblewrap } from './adapters/sandbox/bubblewrap.ts'
import type { Sandbox } from './adapters/sandbox/sandbox.ts'
import { refusedScripts, type Scripts } from './adapters/sandbox/scripts.ts'
import type { Config } from './config.ts'
import type { Log } from './core/log.ts'

interface SandboxParts {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly findSandbox: FindBubblewrap
}

/**
 * The sandbox of this machine, opened with the first program, so that the start does not wait for it. Uses bubblewrap where
 * available.
 */
export function makeOpenSandbox(parts: SandboxParts & { readonly log: Log }): Sandbox {
  let opening: Promise<Sandbox> | undefined
  const open = (): Promise<Sandbox> => {
    opening ??= openSandbox(parts)
    return opening
  }
  return {
    run: async (run) => (await open()).run(run),
    close: async () => (await opening)?.close(),
  }
}

/** Runs scripts of skills; bubblewrap is searched on the first run. Without it every run is rejected with the reason. */
export function makeOpenScripts(
  { clock, findSandbox }: SandboxParts,
  { python, privatePaths }: Pick<Config, 'python' | 'privatePaths'>,
): Scripts {
  let opening: Promise<Scripts> | undefined
  const open = async (): Promise<Scripts> => {
    const [{ unprivilegedUser }, { findPython }, { createBubblewrapScripts }] = await Promise.all([
      import('./adapters/sandbox/bubblewrap.ts'),
      import('./adapters/sandbox/interpreters.ts'),
      import('./adapters/sandbox/bubblewrap/bubblewrap-scripts.ts'),
    ])
    const looked = await findSandbox(unprivilegedUser)
    if ('missing' in looked) return refusedScripts(looked.missing)
    if (!looked.found.boundsMemory)
      return refusedScripts('bubblewrap is older than 0.7 and cannot limit what scripts write')
    const found = findPython({ setting: python, hidden: privatePaths })
    return createBubblewrapScripts({ clock, bubblewrap: looked.found, python: found })
  }
  return {
    run: async (run) => {
      opening ??= open()
      return (await opening).run(run)
    },
  }
}

async function openSandbox({ clock, log, findSandbox }: SandboxParts & { readonly log: Log }): Promise<Sandbox> {
  const [looked, { createQuickjsSandbox, quickjsSandboxDefaults }] = await Promise.all([
    findSandbox(),
    import('./adapters/sandbox/quickjs/quickjs-sandbox.ts'),
  ])
  if ('missing' in looked) log.warn({ why: looked.missing }, 'programs run without bubblewrap')
  const bubblewrap = 'found' in looked ? looked.found : undefined
  return createQuickjsSandbox({ ...quickjsSandboxDefaults, clock, bubblewrap })
}
