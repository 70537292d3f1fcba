import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const folder = new URL('../peers/', import.meta.url).pathname

/** Another system that does the same job, written as in its documentation. */
export interface Peer {
  readonly name: string
  /** The program to start with the model's base URL and the key; it prints its address. */
  readonly module: string
  /** The request, for systems with their own API. */
  readonly request?: { readonly path: string; readonly body: object }
}

/**
 * The peers in bench/peers, each installed by name and version in the user's cache folder, so that neither the product
 * nor the peers resolve each other's packages. Installed peers are reused.
 */
export async function installPeers(): Promise<readonly Peer[]> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'skillrun-peers')
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
  const peers: Peer[] = []
  for (const name of names.toSorted()) {
    const from = join(folder, name)
    const manifest = await readFile(join(from, 'package.json'))
    const place = join(cache, `${name}-${createHash('sha256').update(manifest).digest('hex').slice(0, 12)}`)
    await mkdir(place, { recursive: true })
    await cp(from, place, { recursive: true, filter: (path) => !path.includes('node_modules') })
    // npm writes this file last.
    if (!existsSync(join(place, 'node_modules/.package-lock.json'))) await install(name, place)
    const request = join(place, 'request.json')
    peers.push({
      name,
      module: join(place, 'server.mjs'),
      ...(existsSync(request) ? { request: JSON.parse(await readFile(request, 'utf8')) } : {}),
    })
  }
  return peers
}

async function install(name: string, place: string): Promise<void> {
  process.stderr.write(`installing the peer ${name} into ${place}\n`)
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
  const child = spawn('npm', options, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the peer in ${place} could not be installed`)
}
