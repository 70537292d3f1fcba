import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from './command-line.ts'
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts'

/** A scripted server, and an empty folder with a profile for it, in which commands run. */
export interface ScriptedPlace extends AsyncDisposable {
  readonly server: ScriptedServer
  readonly folder: string
  readonly place: Place
}

/** Starts a scripted server and creates the folder; disposing removes both. */
export async function openScriptedPlace(): Promise<ScriptedPlace> {
  const server = await startScriptedServer()
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-cli-'))
  return {
    server,
    folder,
    place: { folder, environment: { SKILLRUN_URL: server.url, SKILLRUN_API_KEY: server.key } },
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
