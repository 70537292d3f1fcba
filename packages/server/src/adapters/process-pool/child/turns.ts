import { Fault } from '@skillrun/core/fault.ts'

/** The scheduler's view of a waiting or running job. */
export interface Turn {
  readonly isQuick: boolean
  readonly group: string
  readonly rank: number
}

/** Limits of running and waiting jobs. */
export interface TurnSettings {
  /** Parallel jobs, not counting quick ones. Each kind has one more place in reserve: see `take`. */
  readonly atWorkMax: number
  readonly quickAtWorkMax: number
  /** Most waiting jobs of one group; further ones are refused. */
  readonly queueMax: number
  /** Most waiting jobs of all groups. */
  readonly queueTotalMax: number
}

/** Schedules jobs. */
export interface Turns<T extends Turn> {
  /** Throws Fault `process_pool_full`. */
  wait(turn: T): void
  /** Removes a waiting job; ignores others. */
  leave(turn: T): void
  /**
   * Starts the next job and returns it; undefined when none may start. The lowest rank goes first, then the group with the fewest running
   * jobs, then the one served longest ago, then the first to arrive; after a few jobs that went ahead by rank, rank is ignored once. When
   * all places are taken there is one in reserve, for a group without a running job, or for a rank below all running ones: nobody has to
   * wait for the end of another group's long job.
   */
  take(): T | undefined
  /** Ends a running job. */
  end(turn: T): void
}

/** Jobs in a row that may go ahead of others by rank alone. */
const overtakesMax = 4

/** A fair scheduler. */
export function createTurns<T extends Turn>(settings: TurnSettings): Turns<T> {
  const waiting = new Set<T>()
  const atWork = new Set<T>()
  /** When each waiting or running group was last served, counted in jobs. */
  const servedAt = new Map<string, number>()
  let served = 0
  let overtakes = 0

  const count = (turns: Iterable<T>, group: string): number =>
    [...turns].reduce((sum, turn) => sum + (turn.group === group ? 1 : 0), 0)

  const forgetIdle = (group: string): void => {
    if (count(waiting, group) + count(atWork, group) === 0) servedAt.delete(group)
  }

  const next = (isQuick: boolean): T | undefined => {
    const held = [...atWork].filter((turn) => turn.isQuick === isQuick)
    const free = (isQuick ? settings.quickAtWorkMax : settings.atWorkMax) - held.length
    if (free < 0) return undefined
    const rankAtWork = Math.min(...held.map((turn) => turn.rank))
    const mayGo = (turn: T): boolean => free > 0 || count(held, turn.group) === 0 || turn.rank < rankAtWork
    const candidates = [...waiting].filter((turn) => turn.isQuick === isQuick && mayGo(turn))
    const holds = new Map(candidates.map(({ group }) => [group, count(held, group)]))
    const order = (one: T, other: T): number =>
      (overtakes < overtakesMax ? one.rank - other.rank : 0) ||
      (holds.get(one.group) ?? 0) - (holds.get(other.group) ?? 0) ||
      (servedAt.get(one.group) ?? -1) - (servedAt.get(other.group) ?? -1)
    // Sorting is stable: equal jobs stay in order of arrival.
    const [first] = candidates.toSorted(order)
    if (first === undefined) return undefined
    const wasOvertaken = candidates.some((turn) => turn.rank > first.rank)
    overtakes = wasOvertaken ? overtakes + 1 : 0
    return first
  }

  return {
    wait: (turn) => {
      if (count(waiting, turn.group) >= settings.queueMax || waiting.size >= settings.queueTotalMax)
        throw queueFull(settings.queueMax)
      waiting.add(turn)
    },
    leave: (turn) => {
      if (waiting.delete(turn)) forgetIdle(turn.group)
    },
    take: () => {
      const turn = next(true) ?? next(false)
      if (turn === undefined) return undefined
      waiting.delete(turn)
      atWork.add(turn)
      served += 1
      servedAt.set(turn.group, served)
      return turn
    },
    end: (turn) => {
      if (atWork.delete(turn)) forgetIdle(turn.group)
    },
  }
}

function queueFull(queueMax: number): Fault {
  return new Fault('unavailable', 'process_pool_full', `More than ${queueMax} inputs wait to be read; try again later.`)
}
