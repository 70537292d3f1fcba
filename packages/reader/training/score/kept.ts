import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'

/** What is made under a name, from the folder `cache` if it is there, and kept there unless it is null. */
export async function kept<Made>(cache: string | undefined, id: string, make: () => Promise<Made>): Promise<Made> {
  if (cache === undefined) return await make()
  const place = join(cache, `${id}.gz`)
  if (existsSync(place)) return deserialize(gunzipSync(await readFile(place))) as Made
  const made = await make()
  if (made === null) return made
  await mkdir(cache, { recursive: true })
  await writeFile(place, gzipSync(serialize(made)))
  return made
}
