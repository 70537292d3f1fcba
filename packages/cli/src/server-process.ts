import { fileURLToPath } from 'node:url'
import { isInstalled, packageFolder } from '@skillrun/core/installation.ts'

/** The file that starts the server, or does maintenance on its data. */
export function serverFile(name: 'main.mjs' | 'maintain.ts'): string {
  const file = isInstalled ? name.replace(/\.ts$/, '.js') : name
  return fileURLToPath(new URL(`src/${file}`, packageFolder('server')))
}
