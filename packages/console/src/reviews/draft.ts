import { signal } from '../state.ts'
import type { ListDraft } from './list-rows.ts'

/** What a person has changed in the review of an execution and not saved. */
export interface ReviewDraft {
  /** By the names of the lists. */
  readonly lists: Readonly<Record<string, ListDraft>>
  /** The value being corrected, as typed so far. */
  readonly typed?: { readonly name: string; readonly text: string } | undefined
}

/** By the ids of executions. */
type ReviewDrafts = Readonly<Record<string, ReviewDraft>>

/** Of the person who is signed in. */
export const reviewDraft = signal<ReviewDrafts>({})

/** Where this tab keeps the draft with its owner, so that it outlives their session. */
const place = 'skillrun-review-draft'
/** Who the person is; undefined while nobody is signed in or the server has not yet said who. */
let owner: string | undefined

reviewDraft.watch(() => {
  if (owner === undefined) return
  const drafts = reviewDraft.get()
  if (Object.keys(drafts).length === 0) return sessionStorage.removeItem(place)
  try {
    sessionStorage.setItem(place, JSON.stringify({ owner, drafts }))
  } catch {
    // The browser has no room: the drafts last as long as the page.
  }
})

/** A person has signed in: gives them the draft that they left when their session ended, and forgets one of anybody else. */
export function takeDraft(by: string): void {
  const kept: { owner: string; drafts?: ReviewDrafts } | null = JSON.parse(sessionStorage.getItem(place) ?? 'null')
  sessionStorage.removeItem(place)
  owner = by
  reviewDraft.set({ ...(kept?.owner === by ? kept.drafts : {}), ...reviewDraft.get() })
}

/** The session has ended: nobody sees the draft until its owner is back. */
export function putDraftAside(): void {
  owner = undefined
  reviewDraft.set({})
}

/** The person signs out. */
export function forgetDraft(): void {
  putDraftAside()
  sessionStorage.removeItem(place)
}

/** Keeps what is typed for a value; undefined: it is saved, or the person closed it. */
export const keepTyped = (execution: string, typed: ReviewDraft['typed']): void =>
  setDraft(execution, { ...draftOf(reviewDraft.get(), execution), typed })

const untouched: ListDraft = { removed: [], added: [] }

const emptyDraft: ReviewDraft = { lists: {} }

function setDraft(execution: string, draft: ReviewDraft): void {
  const { [execution]: _before, ...others } = reviewDraft.get()
  const isEmpty = draft.typed === undefined && Object.keys(draft.lists).length === 0
  reviewDraft.set(isEmpty ? others : { ...others, [execution]: draft })
}

export const draftOf = (drafts: ReviewDrafts, execution: string): ReviewDraft => drafts[execution] ?? emptyDraft

/** Changes the rows of a list; a list without changes has no draft. */
export function changeList(execution: string, list: string, change: (before: ListDraft) => ListDraft): void {
  const { lists, ...rest } = draftOf(reviewDraft.get(), execution)
  const { [list]: before = untouched, ...others } = lists
  const after = change(before)
  const isTouched = after.removed.length + after.added.length > 0
  setDraft(execution, { ...rest, lists: isTouched ? { ...others, [list]: after } : others })
}

/** Forgets these changes of rows, because they are saved or discarded; what the person changed after them stays. */
export function clearRows(execution: string, gone: ReviewDraft['lists']): void {
  for (const [list, { removed, added }] of Object.entries(gone))
    changeList(execution, list, (now) => ({
      removed: now.removed.filter((one) => !removed.includes(one)),
      added: now.added.filter((one) => !added.includes(one)),
    }))
}
