import type { BundleFacts } from './bundle.ts'

/** Bundles whose facts are remembered, and how long the text of one may be. */
const bundlesMax = 200
const charactersMax = 500_000

const facts = new Map<string, BundleFacts>()

/** Of one workspace and one content: no workspace can tell by time what another has. */
const keyOf = ({ workspaceId, sha256 }: { workspaceId: string; sha256: string }): string => `${workspaceId} ${sha256}`

/** What was read out of the same content lately: a child need not take it apart for every run. */
export function factsReadLately(of: { workspaceId: string; sha256: string }): BundleFacts | undefined {
  const key = keyOf(of)
  const found = facts.get(key)
  if (found) {
    facts.delete(key)
    facts.set(key, found)
  }
  return found
}

/** Remembers what was read out of a bundle; the one that was not asked for the longest is forgotten. */
export function rememberFacts(of: { workspaceId: string; sha256: string }, read: BundleFacts): void {
  if (JSON.stringify(read).length > charactersMax) return
  facts.set(keyOf(of), read)
  const [oldest] = facts.keys()
  if (facts.size > bundlesMax && oldest !== undefined) facts.delete(oldest)
}
