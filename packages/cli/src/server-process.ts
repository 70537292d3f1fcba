import { join } from 'node:path'
import { programFolder } from './paths.ts'

/** The file that starts the server, or does maintenance on its data. */
export const serverFile = (name: 'main.mjs' | 'maintain.ts'): string =>
  join(programFolder, 'packages', 'server', 'src', name)
