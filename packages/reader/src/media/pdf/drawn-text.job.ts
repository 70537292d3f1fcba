import { readFile } from 'node:fs/promises'
import type { DrawnRequest } from './drawn.ts'
import { drawnOtherwise } from './drawn-text.ts'

export default async function drawn({ path, places }: DrawnRequest): Promise<readonly (string | null)[]> {
  return drawnOtherwise(await readFile(path), places)
}
