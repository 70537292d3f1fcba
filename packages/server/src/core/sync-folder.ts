import { open } from 'node:fs/promises'

/** Flushes a folder: a new name in it is durable only then. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
