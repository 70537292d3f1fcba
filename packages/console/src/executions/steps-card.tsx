import { count, dollars, duration, label } from '../format.ts'
import { Facts } from '../parts/facts.tsx'
import { type Execution, hasEnded, isJsonObject, type Json, type Step } from '../wire.ts'

const shareMin = 0.4

/** The steps, as bars on a timeline. */
export function StepsCard({ execution, steps }: { execution: Execution; steps: readonly Step[] }) {
  const from = Date.parse(execution.created_at)
  const to = Math.max(
    from + 1,
    ...steps.map((step) => Date.parse(step.ended_at)),
    Date.parse(execution.completed_at ?? execution.created_at),
  )
  const shareOf = (ms: number) => (100 * ms) / (to - from)
  return (
    <section class="stack steps-card" aria-label="Steps">
      <h2 class="unseen">Steps</h2>
      {steps.length === 0 && <p class="soft">{hasEnded(execution.status) ? 'None.' : 'None yet.'}</p>}
      <ol class="steps">
        {steps.map((step) => {
          const start = Date.parse(step.started_at)
          const tookMs = Date.parse(step.ended_at) - start
          return (
            <li key={step.seq}>
              <details>
                <summary>
                  <span class="step-name">
                    <i class={step.kind} aria-hidden="true" />
                    <strong>{step.name}</strong>
                    <span class="soft small"> {wordsOf(step)}</span>
                  </span>
                  <span class="step-figures small">
                    {duration(tookMs)} · {dollars(step.cost_dollars)}
                  </span>
                  <span class="bar" aria-hidden="true">
                    <span
                      class={step.kind}
                      style={{ left: `${shareOf(start - from)}%`, width: `${Math.max(shareMin, shareOf(tookMs))}%` }}
                    />
                  </span>
                </summary>
                <dl class="step-detail">
                  {(['detail', 'result'] as const).map((part) => (
                    <div key={part}>
                      <dt>{label(part)}</dt>
                      <dd>
                        <pre>{shortened(step[part])}</pre>
                      </dd>
                    </div>
                  ))}
                </dl>
              </details>
            </li>
          )
        })}
      </ol>
      {execution.attempts > 1 && <p class="soft small">Started {execution.attempts} times.</p>}
    </section>
  )
}

function wordsOf({ kind, detail, result }: Step): string {
  const words: string[] = []
  if (isJsonObject(detail) && typeof detail['input'] === 'string') words.push(detail['input'])
  if (isJsonObject(result)) {
    if (typeof result['pages_read'] === 'number') words.push(count(result['pages_read'], 'page'))
    if (typeof result['words'] === 'number') words.push(count(result['words'], 'word'))
    if (result['cached'] === true) words.push('read before')
    if (result['failed'] === true) words.push('failed')
    words.push(...tokensOf(result['usage']))
  }
  return words.length > 0 ? words.join(' · ') : kind
}

/** What a model turn read and wrote. */
function tokensOf(usage: Json | undefined): readonly string[] {
  if (!isJsonObject(usage)) return []
  const { input_tokens: inputTokens, cached_input_tokens: cachedTokens, output_tokens: outputTokens } = usage
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return []
  const cached = typeof cachedTokens === 'number' && cachedTokens > 0 ? ` (${cachedTokens} cached)` : ''
  return [`${count(inputTokens, 'token')} in${cached}`, `${count(outputTokens, 'token')} out`]
}

const shownCharactersMax = 4_000

function shortened(value: Json): string {
  const text = JSON.stringify(value, null, 2)
  return text.length > shownCharactersMax
    ? `${text.slice(0, shownCharactersMax)}\n… (${text.length} characters in total)`
    : text
}

/** The usage of the execution and its cost. */
export function UsageCard({ execution }: { execution: Execution }) {
  const { usage, service_tier } = execution
  const elements = usage.elements_processed
  const facts: readonly (readonly [string, string])[] = [
    ['Cost', dollars(usage.cost_dollars)],
    ['Standard rate', dollars(usage.standard_cost_dollars)],
    ['Saved', dollars(usage.savings_dollars)],
    ['Credits', usage.credits_used === null ? '–' : String(usage.credits_used)],
    ['Tier', `${service_tier}${usage.mode_multiplier === null ? '' : ` × ${usage.mode_multiplier}`}`],
    ['Worked through', elements === null ? '–' : count(elements, usage.element_type ?? 'page')],
    ['Steps', usage.steps === null ? '–' : String(usage.steps)],
    ['Mode', execution.execution_mode],
  ]
  return (
    <section class="stack" aria-label="Usage">
      <h2 class="unseen">Usage</h2>
      <Facts facts={facts} />
    </section>
  )
}
