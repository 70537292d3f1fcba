import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ComponentChildren
  readonly id: string
}

/** Takes files by drop, by the file chooser, and by paste while it has the focus. */
export function DropZone({ onFiles, children, id }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the chooser within takes the keyboard.
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        take(event.dataTransfer?.files)
      }}
      onPaste={(event) => take(event.clipboardData?.files)}
    >
      <input
        id={id}
        ref={chooser}
        class="unseen"
        type="file"
        multiple
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <label for={id}>{children}</label>
    </div>
  )
}
