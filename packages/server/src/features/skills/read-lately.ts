import type { BundleFacts } from './bundle.ts'

/** Limits of the cache: bundles, and text length of one. */
const bundlesMax = 200
const charactersMax = 500_000

const facts = new Map<string, BundleFacts>()

/** Keyed by workspace and content, so that no workspace can detect another's content by timing. */
const keyOf = ({ workspaceId, sha256 }: { workspaceId: string; sha256: string }): string => `${workspaceId} ${sha256}`

/** The parsed content of recently read bundles, so that not every run needs a child process. */
export function factsReadLately(of: { workspaceId: string; sha256: string }): BundleFacts | undefined {
  const key = keyOf(of)
  const found = facts.get(key)
  if (found) {
    facts.delete(key)
    facts.set(key, found)
  }
  return found
}

/** Caches a bundle's content; the least recently used entry goes first. */
export function rememberFacts(of: { workspaceId: string; sha256: string }, read: BundleFacts): void {
  if (JSON.stringify(read).length > charactersMax) return
  facts.set(keyOf(of), read)
  const [oldest] = facts.keys()
  if (facts.size > bundlesMax && oldest !== undefined) facts.delete(oldest)
}
