import type { ComponentChildren } from 'preact'
import { signal, useSignal } from './state.ts'

const here = signal(location.pathname + location.search)
window.addEventListener('popstate', () => here.set(location.pathname + location.search))

/** The current path and query. */
export function useHere(): URL {
  return new URL(useSignal(here), location.origin)
}

/** Navigates to a path; `replace` replaces the history entry. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else {
    history.pushState(null, '', path)
    window.scrollTo(0, 0)
  }
  here.set(path)
}

interface LinkProps {
  readonly to: string
  readonly children?: ComponentChildren
  readonly class?: string
  readonly title?: string
  readonly 'aria-label'?: string
  readonly 'aria-current'?: 'page' | undefined
}

/** A link within the console. */
export function Link({ to, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} onClick={follow} {...rest} />
}
