import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { byteSize, dollars, duration, label, longTime, numberText } from '../format.ts'
import { type Loaded, useLoaded } from '../live.ts'
import { ConfirmButton, CopyButton } from '../parts/buttons.tsx'
import { Problem, Skeletons } from '../parts/notes.tsx'
import { Table } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import type { CallbackSecret, ReviewSetting, Settings } from '../wire.ts'

/** The settings of the workspace and of the server. */
export function SettingsScreen() {
  const { data, problem } = useLoaded<Settings>('/v1/settings')
  const reviews = useLoaded<readonly ReviewSetting[]>('/v1/reviews/settings')
  // Shown together: a card that grows would push down what is below it.
  if ((!data && !problem) || (!reviews.data && !reviews.problem))
    return (
      <>
        <h1>Settings</h1>
        <Skeletons rows={12} />
      </>
    )
  return (
    <>
      <h1>Settings</h1>
      <div class="cards">
        <Reviews of={reviews} />
        <Secret />
      </div>
      <Problem text={problem} />
      {data && (
        <>
          <h2>Models and prices</h2>
          <Models settings={data} />
          <h2>Limits in force</h2>
          <dl class="facts card limits">
            {Object.entries(data.limits).map(([name, value]) => (
              <div key={name}>
                <dt title={name}>{limitName(name)}</dt>
                <dd>{limitText(name, value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  )
}

const limitName = (name: string): string => label(name.replace(/_bytes$/, '_size').replace(/_(bytes|ms)(?=_|$)/, ''))

function limitText(name: string, value: number | null): string {
  if (value === null) return 'none'
  if (name.includes('bytes')) return byteSize(value)
  return name.endsWith('_ms') ? duration(value) : numberText(value)
}

function Models({ settings: { models, tiers } }: { settings: Settings }) {
  const rate = (amount: number | undefined) => (amount === undefined ? '–' : dollars(amount))
  return (
    <>
      <Table label="Models" head={['Model', 'Answered by', 'Input#', 'Cached input#', 'Output#', 'Context#']}>
        {models.map(({ model, engine, price, context_tokens }) => (
          <tr key={model}>
            <th scope="row">
              <code class="name">{model}</code>
            </th>
            <td class="name">{engine}</td>
            <td class="number">{rate(price?.input)}</td>
            <td class="number">{rate(price?.cached_input)}</td>
            <td class="number">{rate(price?.output)}</td>
            <td class="number">{context_tokens === null ? '–' : numberText(context_tokens)}</td>
          </tr>
        ))}
      </Table>
      <p class="small soft">
        Dollars per million tokens. {tiers.map((one) => `${label(one.tier)} × ${one.price_factor}`).join(', ')}. Prices
        of tools are under <Link to="/tools">Tools</Link>.
      </p>
    </>
  )
}

/** Review rules of the workspace and of skills. */
function Reviews({ of: { data, problem, again } }: { of: Loaded<readonly ReviewSetting[]> }) {
  const { failure, attempt } = useAttempt()
  const save = async (body: object) => {
    await attempt(() => call('/v1/reviews/settings', { method: 'PUT', body }))
    again()
  }
  const ofWorkspace = data?.find(({ skill_name }) => skill_name === null)
  const ofSkills = data?.filter(({ skill_name }) => skill_name !== null) ?? []
  return (
    <section class="card" aria-label="Review">
      <h2>Review</h2>
      <p class="soft">
        An answer with a value below this confidence enters the review queue. A request can say otherwise with{' '}
        <code>config.review</code>.
      </p>
      <Problem text={problem || failure} />
      {data && (
        <Rule
          key={JSON.stringify(ofWorkspace)}
          name="All executions"
          setting={ofWorkspace}
          onSave={(rule) => save(rule)}
        />
      )}
      {ofSkills.map((one) => (
        <Rule
          key={JSON.stringify(one)}
          name={`Skill ${one.skill_name}`}
          setting={one}
          onSave={(rule) => save({ ...rule, skill_name: one.skill_name })}
        />
      ))}
    </section>
  )
}

interface RuleProps {
  readonly name: string
  readonly setting: ReviewSetting | undefined
  readonly onSave: (rule: {
    below: number | null
    max_wrong_rate?: number | null
    add_cases?: boolean
  }) => Promise<void>
}

/** Bounds of `max_wrong_rate`. */
const [rateMin, rateMax] = [0.005, 0.2]
/** Without the last digits, in which floating-point numbers are not exact: what is saved again must not change. */
const exact = (value: number): number => Number(value.toPrecision(12))
const percentOf = (share: number): string => String(exact(share * 100))
const shareOf = (percent: string): number => exact(Number(percent.trim().replace(',', '.')) / 100)

/** What the form proposes for a new rule. */
const belowProposed = 0.9

function Rule({ name, setting, onSave }: RuleProps) {
  const [isOn, setIsOn] = useState(setting !== undefined)
  const [percent, setPercent] = useState(percentOf(setting?.below ?? belowProposed))
  const [wrong, setWrong] = useState(setting?.max_wrong_rate ? percentOf(setting.max_wrong_rate) : '')
  const [addCases, setAddCases] = useState(setting?.add_cases ?? false)
  const below = shareOf(percent)
  const rate = wrong.trim() === '' ? null : shareOf(wrong)
  const isValid =
    percent.trim() !== '' && below >= 0 && below <= 1 && (rate === null || (rate >= rateMin && rate <= rateMax))
  return (
    <form
      class="stack tight"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault()
        void onSave(isOn ? { below, max_wrong_rate: rate, add_cases: addCases } : { below: null })
      }}
    >
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => setIsOn(currentTarget.checked)} />
        <span class="name">{name}: review what is not sure</span>
      </label>
      {isOn && (
        <>
          <label class="field short-field">
            <span>Below, in % confidence</span>
            <input inputMode="decimal" value={percent} onInput={(event) => setPercent(event.currentTarget.value)} />
          </label>
          <label class="field short-field">
            <span>Wrong values above it, in % at most</span>
            <input
              inputMode="decimal"
              value={wrong}
              placeholder="0.5 to 20, optional"
              onInput={(event) => setWrong(event.currentTarget.value)}
            />
          </label>
          <p class="small soft">With a share, each finished review moves the confidence by what was corrected.</p>
          <label class="check">
            <input
              type="checkbox"
              checked={addCases}
              onChange={({ currentTarget }) => setAddCases(currentTarget.checked)}
            />
            <span>Add reviewed answers to the test cases of the skill</span>
          </label>
        </>
      )}
      <button type="submit" disabled={isOn && !isValid}>
        Save
      </button>
    </form>
  )
}

/** The signing secret of callbacks: shown on request, and replaced. */
function Secret() {
  const [secret, setSecret] = useState<CallbackSecret>()
  const { failure: problem, attempt } = useAttempt()
  const load = async (method: 'GET' | 'POST') => {
    await attempt(async () => {
      setSecret(await call<CallbackSecret>('/v1/callback-secret', { method }))
    })
  }
  return (
    <section class="card" aria-label="Callback secret">
      <h2>Callback secret</h2>
      <p class="soft">
        Callbacks of this workspace are signed with it. After a rotation they carry signatures with both secrets for one
        day.
      </p>
      <Problem text={problem} />
      {secret && (
        <div class="made" role="status">
          <p class="made-key">
            <code>{secret.secret}</code> <CopyButton text={() => secret.secret} />
          </p>
          <p class="small">
            Since {longTime(secret.created_at)}
            {secret.previous_until && `; the previous one signs until ${longTime(secret.previous_until)}`}
          </p>
        </div>
      )}
      <p class="acts">
        {!secret && (
          <button type="button" onClick={() => void load('GET')}>
            Show
          </button>
        )}
        <ConfirmButton name="Rotate" ask="Sign with a new secret?" onDone={() => load('POST')} />
      </p>
    </section>
  )
}
