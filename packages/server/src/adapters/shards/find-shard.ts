import { createHash } from 'node:crypto'

/** One installation of several: its processes, its database and its files. */
export interface Shard {
  readonly name: string
  readonly url: URL
}

/** Names and addresses such as `a=http://10.0.0.1:8080,b=http://10.0.0.2:8080`; undefined for any other text, and for one name twice. */
export function parseShards(text: string): readonly [Shard, ...Shard[]] | undefined {
  const shards = new Map<string, Shard>()
  const parts = text.split(',')
  for (const part of parts) {
    const [, name = '', address = ''] = /^\s*([a-z0-9][a-z0-9-]{0,29})=(\S+)\s*$/.exec(part) ?? []
    const url = URL.parse(address)
    if (url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) shards.set(name, { name, url })
  }
  const [first, ...others] = shards.values()
  return first && shards.size === parts.length ? [first, ...others] : undefined
}

/** What a shard says of a key; `silent`: it did not answer. */
export type Knowledge = 'known' | 'unknown' | 'silent'

/** The shard of a key, or why there is none: no shard knows it, one that may know it is silent, or several know it. */
export type Found = Shard | 'unknown' | 'silent' | 'several'

export interface ShardFinder {
  /** `client`: the addresses of who shows the key, for the shards' limits of bad keys. */
  find(key: string, client: string): Promise<Found>
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
  ask: (shard: Shard, key: string, client: string) => Promise<Knowledge>,
): ShardFinder {
  const known = new Map<string, Shard>()
  const asked = new Map<string, Promise<Found>>()
  const hashOf = (key: string) => createHash('sha256').update(key).digest('base64')

  const askAll = async (key: string, client: string, hash: string): Promise<Found> => {
    const questions = shards.map(async (shard) => ({ shard, knowledge: await ask(shard, key, client) }))
    const answers = await Promise.all(questions)
    const [one, another] = answers.filter(({ knowledge }) => knowledge === 'known')
    if (another) return 'several'
    if (!one) return answers.some(({ knowledge }) => knowledge === 'silent') ? 'silent' : 'unknown'
    known.set(hash, one.shard)
    const [oldest] = known.keys()
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest)
    return one.shard
  }

  return {
    async find(key, client) {
      const hash = hashOf(key)
      const shard = known.get(hash)
      if (shard) return shard
      // Requests that arrive together ask once.
      const asking = asked.get(hash) ?? askAll(key, client, hash).finally(() => asked.delete(hash))
      asked.set(hash, asking)
      return asking
    },
    forget: (key) => void known.delete(hashOf(key)),
  }
}
