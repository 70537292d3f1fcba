import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { clockTime, valueLabel } from '../format.ts'
import type { EvidenceMap } from '../wire.ts'
import type { Looking } from './answer/props.ts'
import { Player } from './player.tsx'
import { lengthOf, markShareMin, type TimeMark, timeMarksOf } from './time-marks.ts'

interface TimedProps extends Looking {
  readonly mediaType: string
  readonly url: string
  /** Name of the file for screen readers. */
  readonly name: string
  /** Name of the input in evidence. */
  readonly input: string
  readonly evidence: EvidenceMap
  /** The leaf selected last, and the number of selections: the player seeks there. */
  readonly picked: Picked | undefined
}

/** The clicked leaf, which stays highlighted. */
export interface Picked {
  readonly pointer: string
  readonly where: 'answer' | 'source'
  /** Increases with each click. */
  readonly round: number
}

/** Evidence of a video frame counts for about this long. */
const frameHoldsSeconds = 0.25

/** Audio or video with a timeline of its evidence. */
export function TimedView({ mediaType, url, name, input, evidence, active, look, picked }: TimedProps) {
  const player = useRef<HTMLMediaElement>(null)
  const [duration, setDuration] = useState<number>()
  const [now, setNow] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)
  const length = lengthOf(evidence, input, duration)
  const marks = useMemo(() => timeMarksOf(evidence, input, length), [evidence, input, length])
  const seek = (seconds: number) => {
    setNow(seconds)
    if (player.current) player.current.currentTime = seconds
  }
  useEffect(() => {
    const mark = marks.find(({ pointer }) => pointer === picked?.pointer)
    if (!mark || picked?.where !== 'answer') return
    seek(mark.from)
    player.current?.scrollIntoView({ block: 'nearest' })
  }, [picked])
  const shown = marks.find(({ pointer, from }) => pointer === active && Math.abs(from - now) < frameHoldsSeconds)
  return (
    <div class="timed">
      <div class="stage">
        <Player
          mediaType={mediaType}
          url={url}
          name={name}
          place={player}
          onLength={setDuration}
          onTime={setNow}
          onFail={() => setHasFailed(true)}
        />
        {mediaType.startsWith('video') && shown && <FrameMark mark={shown} />}
      </div>
      {hasFailed && (
        <p class="hint">
          This browser cannot play the file.{' '}
          <a href={url} download={name}>
            Download
          </a>{' '}
          to play it elsewhere.
        </p>
      )}
      {marks.length > 0 && (
        <TimeLine marks={marks} length={length} now={now} active={active} look={look} onSeek={seek} />
      )}
    </div>
  )
}

/** The place in the frame, while the player shows that frame. */
function FrameMark({ mark: { pointer, evidence, from, to } }: { mark: TimeMark }) {
  if (!evidence.bbox || from !== to) return null
  const [x, y, w, h] = evidence.bbox
  return (
    <span
      class={`box ${evidence.status} active`}
      data-box={pointer}
      style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` }}
      aria-hidden="true"
    />
  )
}

interface TimeLineProps extends Looking {
  readonly marks: readonly TimeMark[]
  /** Total seconds. */
  readonly length: number
  readonly now: number
  readonly onSeek: (seconds: number) => void
}

function TimeLine({ marks, length, now, active, look, onSeek }: TimeLineProps) {
  const percent = (seconds: number) => `${(100 * Math.min(seconds, length)) / length}%`
  const rows = Math.max(...marks.map(({ row }) => row)) + 1
  const lit = marks.find(({ pointer }) => pointer === active)
  return (
    <section class="time-line" aria-label="Found at">
      <div class="time-rows" style={{ height: `${rows * 0.875}rem` }}>
        {marks.map(({ pointer, evidence, from, to, row }) => (
          <button
            key={pointer}
            type="button"
            class={`time-mark ${evidence.status}${active === pointer ? ' active' : ''}`}
            data-time={pointer}
            aria-label={`${valueLabel(pointer)}, ${momentOf(from, to)}`}
            style={{
              left: `min(${percent(from)}, ${100 - 100 * markShareMin}%)`,
              width: `max(${percent(to - from)}, ${100 * markShareMin}%)`,
              top: `${row * 0.875}rem`,
            }}
            onMouseEnter={() => look(pointer)}
            onMouseLeave={() => look(null)}
            onFocus={() => look(pointer)}
            onBlur={() => look(null)}
            onClick={() => onSeek(from)}
          />
        ))}
        <span class="time-now" style={{ left: percent(now) }} aria-hidden="true" />
      </div>
      <div class="time-words small">
        <span class="soft">0:00</span>
        <span class="time-label name">
          {lit ? (
            <>
              <strong>{valueLabel(lit.pointer)}</strong> {momentOf(lit.from, lit.to)}
              {lit.evidence.quote && <span class="soft"> “{lit.evidence.quote}”</span>}
            </>
          ) : (
            <span class="soft">{marks.length} found; click a mark to jump to it</span>
          )}
        </span>
        <span class="soft">{clockTime(length)}</span>
      </div>
    </section>
  )
}

const momentOf = (from: number, to: number): string =>
  from === to ? `at ${clockTime(from)}` : `${clockTime(from)} to ${clockTime(to)}`
