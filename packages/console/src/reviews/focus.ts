import type { ListDraft } from './list-rows.ts'

/** The list that an element of the answer is in, with the key of its row if it is in one. */
export function rowAt(
  element: Element | null,
): { readonly list: string; readonly key: string | undefined } | undefined {
  const list = element?.closest<HTMLElement>('[data-list]')?.dataset['list']
  const row = element?.closest<HTMLElement>('[data-row], [data-list]')?.dataset['row']
  return list === undefined ? undefined : { list, key: row }
}

/** The value that an element of the answer shows. */
export const pointerAt = (element: Element | null): string | null =>
  element?.closest<HTMLElement>('[data-pointer]')?.dataset['pointer'] ?? null

/** The first list of an answer. */
export function firstList(answer: HTMLElement | null): { readonly list: string } | undefined {
  const list = answer?.querySelector<HTMLElement>('[data-list]')?.dataset['list']
  return list === undefined ? undefined : { list }
}

const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()

/** The control that adds rows to a list. */
export const focusAddRow = (list: string): void => focusOn(`[data-list="${CSS.escape(list)}"] > .acts > .add-row`)

export const focusValue = (pointer: string): void => focusOn(`[data-pointer="${CSS.escape(pointer)}"] button`)

/** The control that ends the review. */
export const focusFinish = (): void => focusOn('.correction .finish')

/**
 * Rows were saved or discarded: the focus that would be lost with them, or with the controls that did it, goes to where the person was in
 * the answer (`last`), or else to the control that adds rows to that list.
 */
export function keepFocus(
  last: Element | null,
  of: { readonly isSaved: boolean; readonly draftOf: (list: string) => ListDraft | undefined },
): void {
  const active = document.activeElement
  const isAway = active === null || active === document.body || active.closest('.correction') !== null
  const from = isAway ? last : active
  const at = rowAt(from)
  if (!at) return
  const { list, key = '' } = at
  const draft = of.draftOf(list)
  const isGone =
    draft?.added.some(({ id }) => key === `new ${id}`) || (of.isSaved && (draft?.removed.includes(key) ?? false))
  if (isGone || !from?.isConnected) focusAddRow(list)
  else if (isAway && from instanceof HTMLElement) from.focus()
}
