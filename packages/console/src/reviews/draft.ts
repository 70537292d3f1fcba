import { signal } from '../state.ts'
import type { ListDraft } from './list-rows.ts'

/** What a person has changed in the review of an execution and not saved. */
export interface ReviewDraft {
  readonly execution: string
  /** By the names of the lists. */
  readonly lists: Readonly<Record<string, ListDraft>>
  /** The value being corrected, as typed so far. */
  readonly typed?: { readonly name: string; readonly text: string } | undefined
}

/** Of the person who is signed in. */
export const reviewDraft = signal<ReviewDraft | null>(null)

/** Where this tab keeps the draft with its owner, so that it outlives their session. */
const place = 'skillrun-review-draft'
/** The id of the person; undefined while nobody is signed in or the server has not yet said who. */
let owner: string | undefined

reviewDraft.watch(() => {
  if (owner !== undefined) sessionStorage.setItem(place, JSON.stringify({ owner, draft: reviewDraft.get() }))
})

/** A person has signed in: gives them the draft that they left when their session ended, and forgets one of anybody else. */
export function takeDraft(by: string): void {
  const kept: { owner: string; draft: ReviewDraft | null } | null = JSON.parse(sessionStorage.getItem(place) ?? 'null')
  sessionStorage.removeItem(place)
  owner = by
  const now = reviewDraft.get() ?? (kept?.owner === by ? kept.draft : null)
  if (now) reviewDraft.set(now)
}

/** The session has ended: nobody sees the draft until its owner is back. */
export function putDraftAside(): void {
  owner = undefined
  reviewDraft.set(null)
}

/** The person signs out. */
export function forgetDraft(): void {
  putDraftAside()
  sessionStorage.removeItem(place)
}

/** Keeps what is typed for a value; undefined: it is saved, or the person closed it. */
export const keepTyped = (execution: string, typed: ReviewDraft['typed']): void =>
  reviewDraft.set({ ...draftOf(reviewDraft.get(), execution), typed })

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

/** Forgets these changes of rows, because they are saved or discarded; what the person changed after them stays. */
export function clearRows(execution: string, gone: ReviewDraft['lists']): void {
  for (const [list, { removed, added }] of Object.entries(gone))
    changeList(execution, list, (now) => ({
      removed: now.removed.filter((one) => !removed.includes(one)),
      added: now.added.filter((one) => !added.includes(one)),
    }))
}
