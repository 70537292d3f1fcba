import { useState } from 'preact/hooks'
import { useLoaded } from '../live.ts'
import { lazy } from '../parts/lazy.tsx'
import type { Me } from '../wire.ts'
import type { EarlierExecutions } from './earlier.ts'

const NewFieldsDialog = lazy(async () => (await import('./new-fields-dialog.tsx')).NewFieldsDialog, { fallback: null })

interface AskNewFieldsProps {
  readonly earlier: EarlierExecutions
  /** Identifies `earlier`: other executions need another look at their requests. */
  readonly of: string
}

/** Asks earlier executions for fields that their schema lacks. Only for those who may execute. */
export function AskNewFields({ earlier, of }: AskNewFieldsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { data: me } = useLoaded<Me>('/v1/me')
  if (!me?.scopes.some((scope) => scope === 'execute' || scope === 'admin')) return null
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Ask new fields…
      </button>
      {isOpen && <NewFieldsDialog key={of} earlier={earlier} onClose={() => setIsOpen(false)} />}
    </>
  )
}
