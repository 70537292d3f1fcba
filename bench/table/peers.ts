import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const folder = new URL('../peers/', import.meta.url).pathname

/** Others that do the same job, each as its own documentation writes it: their names, and the program to start. */
export async function installPeers(): Promise<readonly { readonly name: string; readonly module: string }[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
  for (const name of names) if (!existsSync(join(folder, name, 'node_modules'))) await install(join(folder, name))
  return names.map((name) => ({ name, module: `bench/peers/${name}/server.mjs` }))
}

/** Into its own folder: the product's lockfile knows nothing of it. */
async function install(place: string): Promise<void> {
  const options = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
  const child = spawn('npm', options, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the peer in ${place} could not be installed`)
}
