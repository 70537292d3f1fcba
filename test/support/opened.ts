import { afterAll } from 'vitest'

/** What the tests of a file share, closed after them: what was opened last first. */
export async function opened<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const thing = await opening
  afterAll(() => thing[Symbol.asyncDispose]())
  return thing
}
