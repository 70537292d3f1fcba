import type { ComponentChild } from 'preact'

/** Names and values in columns. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChild])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
