import { createHash } from 'node:crypto'

/** One installation of several: its processes, its database and its files. */
export interface Shard {
  readonly name: string
  readonly url: URL
}

/** What a shard says of a key; `silent`: it did not answer. */
export type Knowledge = 'known' | 'unknown' | 'silent'

/** The shard of a key, or why there is none: no shard knows it, one that may know it is silent, or several know it. */
export type Found = Shard | 'unknown' | 'silent' | 'several'

export interface ShardFinder {
  find(key: string): Promise<Found>
  /** Its shard refused the key: ask again the next time. */
  forget(key: string): void
}

/** Keys whose shard is remembered. */
const rememberedMax = 100_000

/**
 * Finds the shard of a key by asking all of them, once for each key. Keeps no key: only its hash. A key is never given to a shard by
 * chance: two shards that know it are an error.
 */
export function makeShardFinder(
  shards: readonly Shard[],
  ask: (shard: Shard, key: string) => Promise<Knowledge>,
): ShardFinder {
  const known = new Map<string, Shard>()
  const asked = new Map<string, Promise<Found>>()
  const hashOf = (key: string) => createHash('sha256').update(key).digest('base64')

  const askAll = async (key: string, hash: string): Promise<Found> => {
    const answers = await Promise.all(shards.map(async (shard) => ({ shard, said: await ask(shard, key) })))
    const [one, another] = answers.filter(({ said }) => said === 'known')
    if (another) return 'several'
    if (!one) return answers.some(({ said }) => said === 'silent') ? 'silent' : 'unknown'
    known.set(hash, one.shard)
    const [oldest] = known.keys()
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest)
    return one.shard
  }

  return {
    async find(key) {
      const hash = hashOf(key)
      const shard = known.get(hash)
      if (shard) return shard
      // Requests that arrive together ask once.
      const asking = asked.get(hash) ?? askAll(key, hash).finally(() => asked.delete(hash))
      asked.set(hash, asking)
      return asking
    },
    forget: (key) => void known.delete(hashOf(key)),
  }
}
