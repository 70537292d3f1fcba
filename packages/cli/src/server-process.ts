import { fileURLToPath } from 'node:url'
import { installation } from './installation.ts'

/** The file that starts the server, or does maintenance on its data. */
export function serverFile(name: 'main.mjs' | 'maintain.ts'): string {
  const file = installation.isInstalled ? name.replace(/\.ts$/, '.js') : name
  return fileURLToPath(new URL(`src/${file}`, installation.packageFolder('server')))
}
