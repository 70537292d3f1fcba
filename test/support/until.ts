/** Looks again and again, until there is something; the time limit of the test ends it otherwise. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
  }
}
