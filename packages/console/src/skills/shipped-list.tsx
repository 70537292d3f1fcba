import { useState } from 'preact/hooks'
import { wordsOf } from '../api.ts'
import { Problem } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { visible } from '../visible.ts'
import { addShipped, type ShippedSkill, shippedSkills } from './shipped.ts'

/** Built-in skills that the workspace does not have yet. */
export function ShippedList({ known }: { known: readonly string[] }) {
  const [adding, setAdding] = useState('')
  const [problem, setProblem] = useState('')
  const left = shippedSkills.filter(({ name }) => !known.includes(name))
  const add = async (one: ShippedSkill) => {
    setAdding(one.name)
    try {
      go(`/skills/${(await addShipped(one)).id}`)
    } catch (error) {
      setProblem(wordsOf(error))
      setAdding('')
    }
  }
  if (left.length === 0) return null
  return (
    <section class="stack tight" aria-label="Ready-made skills">
      <h2>Ready-made skills</h2>
      <Problem text={problem} />
      <ul class="rows">
        {left.map((one) => (
          <li key={one.name} class="row">
            <span class="grow">
              <strong class="name">{one.name}</strong>
              <span class="soft small block clamp">{visible(one.description)}</span>
            </span>
            <button type="button" disabled={adding !== ''} aria-label={`Add ${one.name}`} onClick={() => void add(one)}>
              {adding === one.name ? 'Adding…' : 'Add'}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
