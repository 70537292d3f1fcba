import { useRef } from 'preact/hooks'

export interface Tab<Name extends string> {
  readonly name: Name
  readonly title: string
}

interface TabsProps<Name extends string> {
  readonly tabs: readonly Tab<Name>[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
  readonly label: string
}

/** The id of the panel that a tab shows. */
export const panelId = (name: string): string => `panel-${name}`

/** Tabs by the pattern of WAI-ARIA: one stop for the Tab key, arrows between them. */
export function Tabs<Name extends string>({ tabs, chosen, onChoose, label }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null)
  const step = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onChoose(next.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={name === chosen ? panelId(name) : undefined}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
