import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { count, dollars } from '../format.ts'
import { useLoaded } from '../live.ts'
import { useSignal } from '../state.ts'
import { type CostEstimate, isJsonObject, type Json, type ListedSkill, type ModelRoute } from '../wire.ts'
import { bodyOf, change, draft, isBatch, isByProgram, isOnPath, letProgramsAnswer, takePath } from './draft.ts'

const tiers = [
  { tier: 'standard', label: 'standard' },
  { tier: 'flex', label: 'flex (cheaper, may wait)' },
  { tier: 'priority', label: 'priority (runs first)' },
]

/** Skills, model and tier. */
export function Choices() {
  const { model, tier, skills, rest } = useSignal(draft)
  const models = useLoaded<ModelRoute[]>('/v1/models')
  const names = (models.data ?? []).map((one) => one.model)
  const known = model && !names.includes(model) ? [model, ...names] : names
  return (
    <>
      <Skills />
      {skills.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={isByProgram(rest)}
            onChange={({ currentTarget }) => letProgramsAnswer(currentTarget.checked)}
          />
          <span>Let the program of the skill answer where one is ready</span>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={isOnPath(rest)}
          onChange={({ currentTarget }) => takePath(currentTarget.checked)}
        />
        <span>Answer each field by the cheapest model that is proven for it</span>
      </label>
      <div class="pair">
        <label class="field">
          <span>Model</span>
          <select value={model} onChange={(event) => change({ model: event.currentTarget.value })}>
            <option value="">Automatic</option>
            {known.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Tier</span>
          <select value={tier} onChange={(event) => change({ tier: event.currentTarget.value })}>
            {tiers.map((one) => (
              <option key={one.tier} value={one.tier}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  )
}

const skillsMax = 1000

/** The skills of the request: selected ones as chips, and a list of the others. */
function Skills() {
  const { skills } = useSignal(draft)
  const listed = useLoaded<readonly ListedSkill[]>(
    `/v1/skills?grouped=true&order_by=name&descending=false&limit=${skillsMax}`,
  )
  const chosen = new Set(skills.map(nameOfEntry))
  const free = (listed.data ?? []).filter((one) => !chosen.has(one.name) && !chosen.has(one.id))
  if (skills.length === 0 && free.length === 0) return null
  const add = (id: string) => {
    const one = free.find((skill) => skill.id === id)
    if (one) change({ skills: [...skills, { type: 'skill_reference', skill_id: one.name, skill_version: 'latest' }] })
  }
  return (
    <div class="field">
      <label for="run-skill">
        <span>Skills</span>
      </label>
      {skills.length > 0 && (
        <ul class="chips chosen">
          {skills.map((entry, index) => (
            <li key={index}>
              <span class="name">{nameOfEntry(entry)}</span>
              <button
                type="button"
                class="quiet remove"
                aria-label={`Remove ${nameOfEntry(entry)}`}
                onClick={() => change({ skills: skills.filter((one) => one !== entry) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <select id="run-skill" value="" onChange={(event) => add(event.currentTarget.value)}>
          <option value="">{skills.length > 0 ? 'add another' : 'none'}</option>
          {free.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function nameOfEntry(entry: Json): string {
  if (!isJsonObject(entry)) return '?'
  const { skill_id, skill_name, name } = entry
  return String(skill_id ?? skill_name ?? name ?? 'skill sent with the request')
}

/** Delay before an edited request is estimated. */
const estimateDelayMs = 600

/** The estimated cost of the draft; nothing if the server cannot estimate it. */
export function Estimate() {
  const now = useSignal(draft)
  const [estimate, setEstimate] = useState<CostEstimate>()
  const hasInputs = now.stored.length + Object.keys(now.kept).length > 0 || now.text.trim() !== ''
  /** The server refuses inputs without a task. */
  const isAsking = now.prompt.trim() !== '' || now.skills.length > 0 || (hasInputs && now.schemaText.trim() !== '')
  // The inputs of the estimate, without texts that are being typed.
  const asked = JSON.stringify([
    now.files.length,
    now.stored.map((one) => one.id),
    now.kept,
    now.model,
    now.tier,
    now.skills,
    now.prompt,
    now.isCombined,
    isOnPath(now.rest),
    isAsking,
  ])
  useEffect(() => {
    setEstimate(undefined)
    // The cost of a batch is known once its documents are.
    if (!isAsking || now.schemaProblem || isBatch(now)) return
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      call<CostEstimate>('/v1/agent/estimate', { method: 'POST', body: bodyOf(draft.get()), signal: stopped.signal })
        .then(setEstimate)
        .catch(() => undefined)
    }, estimateDelayMs)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [asked])
  const tier = now.tier as keyof CostEstimate['agent']
  const range = (estimate?.path?.cost ?? estimate?.agent)?.[tier]
  if (!estimate || !range) return null
  const program = estimate.program?.[tier]
  return (
    <p class="soft small estimate" role="status">
      About <strong>{dollars(range.expected_dollars)}</strong>
      {range.high_dollars > range.low_dollars && ` (${dollars(range.low_dollars)} to ${dollars(range.high_dollars)})`}{' '}
      by{' '}
      {estimate.path ? pathWords(estimate.path, estimate.basis) : `${estimate.engine}, ${basisWords(estimate.basis)}`}
      {program && ` · as a program ${dollars(program.expected_dollars)}`}
      {otherTiers(estimate.path?.cost ?? estimate.agent, now.tier)}
    </p>
  )
}

/** How often each model of the cheapest path is asked. */
function pathWords({ asked, executions, by }: NonNullable<CostEstimate['path']>, basis: CostEstimate['basis']): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const models = Object.entries(asked).filter(([engine]) => engine !== 'embedded')
  const words = models.map(
    ([engine, { low, expected, high }]) => `${engine} in ${percent(expected)} (${percent(low)} to ${percent(high)})`,
  )
  return `the cheapest path, which asks ${words.join(' and ')}, ${by === 'path' ? `based on ${count(executions, 'run')}` : basisWords(basis)}`
}

function basisWords({ by, executions }: CostEstimate['basis']): string {
  if (by === 'prices') return 'estimated from prices'
  return by === 'agent'
    ? `based on ${count(executions, 'similar run')}`
    : `based on ${count(executions, 'run')} with this model`
}

function otherTiers(byTier: CostEstimate['agent'], tier: string): string {
  const others = Object.entries(byTier).filter(([name, one]) => name !== tier && one.expected_dollars > 0)
  return others.map(([name, one]) => ` · ${name} ${dollars(one.expected_dollars)}`).join('')
}
