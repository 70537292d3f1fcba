import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { leave } from '../api.ts'
import { useLoaded } from '../live.ts'
import { places } from '../places.ts'
import { go } from '../router.tsx'
import { chooseTheme, themes } from '../theme.ts'
import type { Execution, ListedSkill } from '../wire.ts'

interface Command {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly run: () => void
}

const shownMax = 12

const fixed: readonly Command[] = [
  ...places.flatMap(({ screens }) =>
    screens.map(({ path, name }) => ({ id: path, name, kind: 'Screen', run: () => go(path) })),
  ),
  ...themes.map((one) => ({
    id: `theme-${one}`,
    name: `Theme: ${one}`,
    kind: 'Command',
    run: () => chooseTheme(one),
  })),
  { id: 'docs', name: 'Documentation', kind: 'Page', run: () => location.assign('/docs') },
  { id: 'api', name: 'API reference', kind: 'Page', run: () => location.assign('/docs/api') },
  { id: 'leave', name: 'Sign out', kind: 'Command', run: () => void leave() },
]

/** Opens a screen, an execution or a skill, or runs a command, by a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const executions = useLoaded<readonly Execution[]>('/v1/agent/executions?limit=50')
  const skills = useLoaded<readonly ListedSkill[]>('/v1/skills?grouped=true&limit=100')
  useEffect(() => dialog.current?.showModal(), [])
  const commands = useMemo(
    () => [...fixed, ...(skills.data ?? []).map(ofSkill), ...(executions.data ?? []).map(ofExecution)],
    [skills.data, executions.data],
  )
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = commands.filter(({ name, id }) => {
    const within = `${name} ${id}`.toLowerCase()
    return words.every((word) => within.includes(word))
  })
  const found = fitting.slice(0, shownMax)
  const chosen = Math.min(at, found.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((chosen + by + found.length) % found.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      run(found[chosen])
    }
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={onKey}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Screen, execution, skill or command"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Screen, execution, skill or command"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
      />
      <div id="palette-found" class="options" role="listbox" aria-label="Found">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
          <div
            key={`${command.kind} ${command.id}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => run(command)}
            onMouseMove={() => setAt(index)}
          >
            <span class="name">{command.name}</span>
            <span class="soft small">{command.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="soft">Nothing is called that. Executions are searched among the last 50.</p>}
    </dialog>
  )
}

const ofSkill = ({ id, name }: ListedSkill): Command => ({
  id,
  name,
  kind: 'Skill',
  run: () => go(`/skills/${encodeURIComponent(id)}`),
})

const ofExecution = ({ id, name }: Execution): Command => ({
  id,
  name,
  kind: `Execution ${id.slice(-6)}`,
  run: () => go(`/executions/${encodeURIComponent(id)}`),
})
