import { useEffect, useRef, useState } from 'preact/hooks'
import { callRaw, wordsOf } from '../../api.ts'
import type { ListedExecution as Execution } from '../../wire.ts'

const olderCount = 200

export interface Page {
  readonly executions: readonly Execution[]
  readonly older: string | null
}

export async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const response = await callRaw(path, signal ? { signal } : {})
  const older = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { executions: (await response.json()) as Execution[], older }
}

/** Newest first, each once. */
export function joined(newest: readonly Execution[], older: readonly Execution[]): readonly Execution[] {
  const seen = new Set(newest.map((one) => one.id))
  return [...newest, ...older.filter((one) => !seen.has(one.id))]
}

interface Older {
  readonly path: string
  readonly executions: readonly Execution[]
  readonly next: string | null
}

/** Older pages, kept as loaded; restarted when there are more new rows than the newest page holds. */
export function useOlder(path: string, first: Page | undefined) {
  const [state, setState] = useState<Older>()
  const [failed, setFailed] = useState<{ first: Page | undefined; problem: string }>()
  // What failed is tried again once the server has answered again.
  const problem = failed && failed.first === first ? failed.problem : ''
  const [isLoading, setIsLoading] = useState(false)
  const before = useRef<{ path: string; list: readonly Execution[] }>({ path, list: nothing })
  const own = state?.path === path ? state : undefined
  useEffect(() => {
    if (!first) return
    const list = before.current.path === path ? before.current.list : nothing
    before.current = { path, list: first.executions }
    const now = new Set(first.executions.map((one) => one.id))
    // Keep rows that leave the newest page; if none of them stayed, rows may have been missed.
    const gone = list.filter((one) => !now.has(one.id))
    if (list.length > 0 && gone.length === list.length) setState(undefined)
    else if (gone.length > 0 && own) setState({ ...own, executions: [...gone, ...own.executions] })
  }, [first])
  const next = own ? own.next : (first?.older?.replace(/\blimit=\d+/, `limit=${olderCount}`) ?? null)
  const load = async (from: string) => {
    if (isLoading) return
    setIsLoading(true)
    try {
      const page = await loadPage(from)
      setState({ path, executions: [...(own?.executions ?? []), ...page.executions], next: page.older })
    } catch (error) {
      setFailed({ first, problem: wordsOf(error) })
    }
    setIsLoading(false)
  }
  return {
    executions: own?.executions ?? nothing,
    isLoading,
    problem,
    more: next === null || isLoading || problem ? undefined : () => void load(next),
  }
}

const nothing: readonly Execution[] = []
