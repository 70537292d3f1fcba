import { readFileSync } from 'node:fs'
import { installationOf } from '@skillrun/core/installation.ts'

/** Where this command and its packages are. */
export const installation = installationOf(new URL('../', import.meta.url))

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
