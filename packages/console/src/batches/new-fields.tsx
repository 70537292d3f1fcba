import { useState } from 'preact/hooks'
import { lazy } from '../parts/lazy.tsx'
import { useMay } from '../rights.ts'
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
  const may = useMay()
  if (!may('execute')) return null
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Ask new fields…
      </button>
      {isOpen && <NewFieldsDialog key={of} earlier={earlier} onClose={() => setIsOpen(false)} />}
    </>
  )
}
