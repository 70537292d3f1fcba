import { access, constants, mkdir } from 'node:fs/promises'
import { Fault } from './kit/fault.ts'

/** Makes the data folder where it is not there. Throws Fault `invalid` where this user cannot make it or write in it. */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    // Others may pass through: PostgreSQL runs as another user where the server is root.
    await mkdir(path, { recursive: true, mode: 0o711 })
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Fault(
      'invalid',
      'bad_data_folder',
      `SKILLRUN_DATA is ${JSON.stringify(path)}, but should be a folder that this user can make and write in (${why}).`,
    )
  }
}
