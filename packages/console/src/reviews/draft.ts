import { signal } from '../state.ts'
import type { ListDraft } from './list-rows.ts'

/** What a person has changed in the review of an execution and not saved. */
export interface ReviewDraft {
  readonly execution: string
  /** By the pointers of the lists in the response. */
  readonly lists: Readonly<Record<string, ListDraft>>
}

export const reviewDraft = signal<ReviewDraft | null>(null)

const untouched: ListDraft = { removed: [], added: [] }

const emptyOf = (execution: string): ReviewDraft => ({ execution, lists: {} })

export const draftOf = (draft: ReviewDraft | null, execution: string): ReviewDraft =>
  draft?.execution === execution ? draft : emptyOf(execution)

/** Changes the rows of a list; a list without changes has no draft. */
export function changeList(execution: string, list: string, change: (before: ListDraft) => ListDraft): void {
  const { lists, ...rest } = draftOf(reviewDraft.get(), execution)
  const { [list]: before = untouched, ...others } = lists
  const after = change(before)
  const isTouched = after.removed.length + after.added.length > 0
  reviewDraft.set({ ...rest, lists: isTouched ? { ...others, [list]: after } : others })
}

/** Forgets the changes of rows, because they are saved or discarded. */
export const clearLists = (execution: string): void =>
  reviewDraft.set({ ...draftOf(reviewDraft.get(), execution), lists: {} })
