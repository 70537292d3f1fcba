import { SkillrunFailure } from '@skillrun/client/failure.ts'
import type {
  AgentExecutionResponse,
  ClaimedReview,
  ReviewItem,
  ReviewRequest,
  ReviewSetting,
  ReviewStatistics,
  SavedReview,
} from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from '../command.ts'
import { collected, wholeNumber } from '../options.ts'
import { printable, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun review`: the review queue, and corrections of answers. */
export function addReviews(program: Command, terminal: Terminal): void {
  const review = program
    .command('review')
    .description('review answers: claim, correct, confirm; list the queue')
    .examples(
      'skillrun review claim',
      'skillrun review save 0192f0c1-… --set /total=144.50 --confirm /invoice_number --done',
    )
  addList(review, terminal)
  addClaim(review, terminal)
  addSave(review)
  addHistory(review, terminal)
  for (const verb of ['release', 'skip'] as const) addGiveBack(review, verb, terminal)
  addAssign(review, terminal)
  addSettings(review)
  addStatistics(review, terminal)
}

const pathOf = (id: string, verb = '') => `/v1/reviews/${encodeURIComponent(id)}${verb}`
const claimOption = () => new Option('--claim <NUMBER>', 'refuse when this claim is over').argParser(wholeNumber(1))

function addList(review: Command, terminal: Terminal): void {
  review
    .command('list')
    .description('list the review queue, oldest first')
    .addOption(new Option('--status <STATUS>', 'only these').choices(['needed', 'claimed', 'done']))
    .option('--skill <SKILL>', 'only those of a skill, by name or UUID')
    .option('--mine', 'only those that this key has claimed or is assigned')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 50)
    .examples('skillrun review list --status needed --skill invoices')
    .action(async (options: { status?: string; skill?: string; mine?: boolean; limit: number }, command: Command) => {
      const client = await command.connect()
      const items = await client.call<readonly ReviewItem[]>('/v1/reviews', {
        query: {
          limit: options.limit,
          ...(options.status ? { status: options.status } : {}),
          ...(options.skill ? { skill_id: options.skill } : {}),
          ...(options.mine ? { mine: true } : {}),
        },
      })
      command.printTable(items, ['EXECUTION', 'STATUS', 'SKILL', 'NEEDS A LOOK', 'CREATED'], (one) => [
        one.execution_id,
        one.status,
        one.skill?.name ?? '',
        one.reasons.map(({ path }) => path).join(' '),
        renderMoment(one.created_at),
      ])
    })
  review
    .command('get <EXECUTION>')
    .description('get the entry of an execution in the queue')
    .examples('skillrun review get 0192f0c1-…')
    .action(async (id: string, _: object, command: Command) => {
      const client = await command.connect()
      printItem(await client.call<ReviewItem>(pathOf(id)), command, terminal)
    })
}

function printItem(item: ReviewItem, command: Command, terminal: Terminal): void {
  if (command.isJson) {
    terminal.print(renderJson(item))
    return
  }
  const { claim } = item
  terminal.print(
    [
      `execution ${item.execution_id}: ${item.status}`,
      ...(claim ? [`claim ${claim.number}, until ${renderMoment(claim.until)}`] : []),
      ...item.reasons.map(({ path, code, confidence }) => `${path}  ${code}  ${confidence.toFixed(2)}`),
    ]
      .map((line) => `${printable(line)}\n`)
      .join(''),
  )
}

function addClaim(review: Command, terminal: Terminal): void {
  review
    .command('claim [EXECUTION]')
    .description('claim the next execution to review, or a certain one, for 15 minutes')
    .option('--skill <SKILL>', 'the next of this skill, by name or UUID')
    .examples('skillrun review claim', 'skillrun review claim 0192f0c1-…')
    .action(async (id: string | undefined, { skill }: { skill?: string }, command: Command) => {
      const client = await command.connect()
      if (id !== undefined) {
        const item = await client.call<ReviewItem>(pathOf(id, '/claim'), { method: 'POST' })
        return printItem(item, command, terminal)
      }
      const body = { skill_id: skill }
      const claimed = await client.call<ClaimedReview>('/v1/reviews/claim', { method: 'POST', body })
      if (command.isJson) return terminal.print(renderJson(claimed))
      if (claimed.item) printItem(claimed.item, command, terminal)
      else terminal.log('nothing waits for a review')
    })
}

/** Splits `/total=144.50`; a value that is not JSON is text. */
function parseAssignment(text: string): { path: string; value: Json } {
  const at = text.indexOf('=')
  if (!text.startsWith('/') || at < 0)
    throw new InvalidArgumentError('It must be a JSON Pointer and a value, such as /total=144.50.')
  const value = text.slice(at + 1)
  try {
    return { path: text.slice(0, at), value: JSON.parse(value) as Json }
  } catch {
    return { path: text.slice(0, at), value }
  }
}

interface SaveOptions {
  readonly set?: readonly string[]
  readonly candidate?: readonly string[]
  readonly confirm?: readonly string[]
  readonly absent?: readonly string[]
  readonly comment?: string
  readonly claim?: number
  readonly ifVersion?: number
  readonly done?: boolean
}

function changesOf({ set = [], candidate = [], confirm = [], absent = [] }: SaveOptions) {
  return [
    ...set.map((text) => ({ ...parseAssignment(text), kind: 'corrected' as const })),
    ...candidate.map((text) => {
      const { path, value } = parseAssignment(text)
      if (typeof value !== 'number')
        throw new Fault('invalid', 'bad_candidate', `--candidate ${text}: give its index, such as /total=0`)
      return { path, candidate: value }
    }),
    ...confirm.map((path) => ({ path, kind: 'confirmed' as const })),
    ...absent.map((path) => ({ path, kind: 'absent' as const })),
  ]
}

type Changes = ReturnType<typeof changesOf>

/** The changes with the text of a value that was refused as JSON: `/invoice_number=4711`. Undefined when anything else was refused. */
function withTexts(changes: Changes, { set = [] }: SaveOptions, { cause }: Fault): Changes | undefined {
  const refused = cause instanceof SkillrunFailure && cause.status === 422 ? cause.details : []
  const paths = new Set(refused.map(({ path }) => path))
  const isOfValues = refused.every(({ path }) => /^changes\.\d+\.value$/.test(path))
  const texts = changes.map((change, at) => {
    const text = set[at]
    if (text === undefined || !('value' in change) || typeof change.value === 'string') return change
    return paths.has(`changes.${at}.value`) ? { ...change, value: text.slice(text.indexOf('=') + 1) } : change
  })
  return isOfValues && texts.some((change, at) => change !== changes[at]) ? texts : undefined
}

function addSave(review: Command): void {
  review
    .command('save <EXECUTION>')
    .description('save corrections beside the answer; the answer itself stays')
    .option(
      '--set <PATH=VALUE>',
      'the right value, as JSON or, where the schema wants a text, as it is (repeatable)',
      collected,
    )
    .option('--candidate <PATH=INDEX>', 'choose a candidate of the evidence (repeatable)', collected)
    .option('--confirm <PATH>', 'the value is right (repeatable)', collected)
    .option('--absent <PATH>', 'the document has no such value (repeatable)', collected)
    .option('--comment <TEXT>', 'a comment on the review')
    .addOption(claimOption())
    .option('--if-version <NUMBER>', 'refuse when another review was saved after this one', wholeNumber(0))
    .option('--done', 'the review is finished')
    .examples(
      'skillrun review save 0192f0c1-… --set /total=144.50 --absent /due_date',
      'skillrun review save 0192f0c1-… --confirm /total --done',
    )
    .action(async (id: string, options: SaveOptions, command: Command) => {
      const changes = changesOf(options)
      if (changes.length === 0 && !options.done && options.comment === undefined)
        throw new Fault('invalid', 'nothing_said', 'Give --set, --candidate, --confirm, --absent, --comment or --done')
      const { done = false, comment, claim } = options
      const client = await command.connect()
      const save = async (changes: Changes): Promise<AgentExecutionResponse> => {
        const body = { changes, done, comment, claim } satisfies ReviewRequest
        try {
          return await client.call(`/v1/agent/executions/${encodeURIComponent(id)}/review`, {
            method: 'POST',
            body,
            ...(options.ifVersion === undefined ? {} : { headers: { 'If-Match': `"${options.ifVersion}"` } }),
          })
        } catch (failure) {
          const texts = failure instanceof Fault ? withTexts(changes, options, failure) : undefined
          if (texts === undefined) throw failure
          return save(texts)
        }
      }
      const record = await save(changes)
      command.report(record, `saved as version ${record.review?.version} of the review`)
    })
}

function addHistory(review: Command, terminal: Terminal): void {
  review
    .command('history <EXECUTION>')
    .description('list every saved review of an execution, oldest first')
    .examples('skillrun review history 0192f0c1-…')
    .action(async (id: string, _: object, command: Command) => {
      const client = await command.connect()
      const path = `/v1/agent/executions/${encodeURIComponent(id)}/reviews`
      const reviews = await client.call<readonly SavedReview[]>(path)
      if (command.isJson) return terminal.print(renderJson(reviews))
      const rows = reviews.flatMap((one) =>
        one.changes.map((change) => [
          String(one.version),
          renderMoment(one.at),
          one.by?.name ?? '',
          change.path,
          change.kind,
          JSON.stringify(change.to),
        ]),
      )
      terminal.print(renderTable(['VERSION', 'AT', 'BY', 'FIELD', 'KIND', 'NOW'], rows, terminal.columns))
    })
}

function addGiveBack(review: Command, verb: 'release' | 'skip', terminal: Terminal): void {
  review
    .command(`${verb} <EXECUTION>`)
    .description(verb === 'release' ? 'give a claimed review back' : 'leave a review to others')
    .addOption(claimOption())
    .examples(`skillrun review ${verb} 0192f0c1-…`)
    .action(async (id: string, { claim }: { claim?: number }, command: Command) => {
      const client = await command.connect()
      const released = client.call<ReviewItem>(pathOf(id, `/${verb}`), { method: 'POST', body: { claim } })
      printItem(await released, command, terminal)
    })
}

function addAssign(review: Command, terminal: Terminal): void {
  review
    .command('assign <EXECUTION> [KEY]')
    .description('assign a review to a key by its id; without one, to any key')
    .examples('skillrun review assign 0192f0c1-… 0192f0c1-…')
    .action(async (id: string, key: string | undefined, _: object, command: Command) => {
      const client = await command.connect()
      const body = { key_id: key ?? null }
      printItem(await client.call<ReviewItem>(pathOf(id, '/assign'), { method: 'POST', body }), command, terminal)
    })
}

/** Parses a confidence from 0 to 1. */
function confidence(text: string): number {
  const value = /^(?:0(?:\.\d{1,6})?|\.\d{1,6}|1(?:\.0{1,6})?)$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

function addSettings(review: Command): void {
  review
    .command('settings')
    .description('show or change when answers need a review')
    .option('--below <CONFIDENCE>', 'review answers with a value below this confidence', confidence)
    .option(
      '--max-wrong-rate <SHARE>',
      'let finished reviews move that confidence, so that at most this share of the values above it is wrong (0.005 to 0.2)',
      confidence,
    )
    .option('--off', 'remove the setting')
    .option('--skill <NAME>', 'the setting of a skill; default: of the workspace')
    .option('--add-cases', 'reviewed answers become cases of their skill')
    .examples('skillrun review settings', 'skillrun review settings --below 0.9 --skill invoices')
    .action(
      async (
        {
          below,
          off,
          skill,
          addCases,
          maxWrongRate,
        }: { below?: number; off?: boolean; skill?: string; addCases?: boolean; maxWrongRate?: number },
        command: Command,
      ) => {
        if (
          (below !== undefined) === (off === true) &&
          (off || skill !== undefined || addCases || maxWrongRate !== undefined)
        )
          throw new Fault('invalid', 'unclear_setting', 'Give either --below or --off')
        const client = await command.connect()
        const path = '/v1/reviews/settings'
        const change = { below: below ?? null, skill_name: skill, add_cases: addCases, max_wrong_rate: maxWrongRate }
        const settings =
          below === undefined && !off
            ? await client.call<readonly ReviewSetting[]>(path)
            : await client.call<readonly ReviewSetting[]>(path, { method: 'PUT', body: change })
        command.printTable(settings, ['SKILL', 'BELOW', 'MAX WRONG', 'ADDS CASES'], (one) => [
          one.skill_name ?? '(workspace)',
          String(one.below),
          one.max_wrong_rate === null ? '' : String(one.max_wrong_rate),
          one.add_cases ? 'yes' : 'no',
        ])
      },
    )
}

function addStatistics(review: Command, terminal: Terminal): void {
  review
    .command('statistics')
    .description('show how often reviewers agreed with each field, and how long a document took')
    .option('--skill <NAME>', 'only those of a skill')
    .option('--from <TIME>', 'finished at this time or later (ISO 8601)')
    .option('--to <TIME>', 'finished before this time (ISO 8601)')
    .examples('skillrun review statistics --skill invoices --from 2026-11-01')
    .action(async ({ skill, from, to }: { skill?: string; from?: string; to?: string }, command: Command) => {
      const client = await command.connect()
      const found = await client.call<ReviewStatistics>('/v1/reviews/statistics', {
        query: { ...(skill ? { skill_name: skill } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) },
      })
      if (command.isJson) return terminal.print(renderJson(found))
      const median = found.median_seconds === null ? '' : `, median ${Math.round(found.median_seconds)} s a document`
      terminal.log(`${found.reviewed} reviewed, ${found.waiting} waiting${median}`)
      const rows = found.fields.map((one) => [
        one.field,
        String(one.confirmed),
        String(one.corrected),
        String(one.untouched),
        one.agreement === null ? '' : `${(100 * one.agreement).toFixed(1)} %`,
      ])
      terminal.print(renderTable(['FIELD', 'CONFIRMED', 'CORRECTED', 'UNTOUCHED', 'AGREEMENT'], rows, terminal.columns))
    })
}
