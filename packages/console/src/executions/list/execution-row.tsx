import { briefTime, count, dollars, duration, longTime, wholePercent } from '../../format.ts'
import { StatusMark } from '../../parts/notes.tsx'
import { Link } from '../../router.tsx'
import { visible } from '../../visible.ts'
import type { ListedExecution as Execution } from '../../wire.ts'

interface RowProps {
  readonly one: Execution
  readonly isSelected: boolean
  readonly onSelect: (id: string, isRange: boolean) => void
}

export function ExecutionRow({ one, isSelected, onSelect }: RowProps) {
  const { usage, file_names: files, completeness, skills } = one
  const tookMs = Date.parse(one.completed_at ?? '') - Date.parse(one.created_at)
  const [file] = files
  const title = file === undefined ? one.name : visible(file) + (files.length > 1 ? ` + ${files.length - 1}` : '')
  const found = Object.values(one.evidence ?? {}).filter(({ confidence }) => confidence > 0)
  const lowest = found.length > 0 ? Math.min(...found.map(({ confidence }) => confidence)) : undefined
  const doubts = one.needs_look?.length ?? 0
  return (
    <div class={isSelected ? 'row execution-row selected' : 'row execution-row'}>
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isSelected}
        onClick={(event) => onSelect(one.id, event.shiftKey)}
      />
      <Link class="execution-cells" to={`/executions/${one.id}`}>
        <span>
          <strong class="name">{title}</strong>
          <span class="soft small block name">
            {one.error?.message ??
              [...(file === undefined ? [] : [one.name]), one.session_id ? `session ${one.session_id}` : one.id].join(
                ' · ',
              )}
          </span>
        </span>
        <span class="soft name">{skills.map(({ name }) => name).join(', ')}</span>
        <span>
          <StatusMark status={one.status} />
        </span>
        <span class="number" data-name="fields">
          {completeness ? `${completeness.found}/${completeness.asked}` : ''}
        </span>
        <span
          class={doubts > 0 ? 'number warn' : 'number'}
          data-name="sure"
          title={doubts > 0 ? `${count(doubts, 'value')} to look at` : ''}
        >
          {lowest === undefined ? '' : wholePercent(lowest)}
        </span>
        <span class="number">{Number.isNaN(tookMs) ? '' : duration(tookMs)}</span>
        <span class="number">{dollars(usage.cost_dollars)}</span>
        <span class="number soft">
          <time dateTime={one.created_at} title={longTime(one.created_at)}>
            {briefTime(one.created_at)}
          </time>
        </span>
      </Link>
    </div>
  )
}
