import { Fault } from '@skillrun/core/fault.ts'

/** A job that waits for a child or has one, as far as its turn is concerned. */
export interface Turn {
  readonly isQuick: boolean
  readonly group: string
  readonly rank: number
}

/** How many jobs are at work and wait. */
export interface TurnSettings {
  /** Jobs at work at once, those that are quick apart. One more is in reserve for each: see `take`. */
  readonly atWorkMax: number
  readonly quickAtWorkMax: number
  /** Jobs of one group that may wait; the next one is refused. */
  readonly queueMax: number
  /** Jobs of all groups that may wait. */
  readonly queueTotalMax: number
}

/** The order in which jobs have their turn. */
export interface Turns<T extends Turn> {
  /** Throws Fault `workshop_full`. */
  wait(turn: T): void
  /** It waits no more; nothing when it does not wait. */
  leave(turn: T): void
  /**
   * The next job that may go to work, now at work; undefined when none may. The smallest rank goes first, then the group
   * that has the fewest at work, then the one that was served longest ago, then who came first; after a few that went
   * ahead by their rank, rank counts for nothing once. When all places are taken there is one in reserve, for a group
   * that has none at work, or for a rank that is smaller than all that are at work: nobody has to wait until a
   * stranger's long job ends.
   */
  take(): T | undefined
  /** It is at work no more. */
  end(turn: T): void
}

/** Jobs in a row that may go ahead of another by their rank alone. */
const overtakesMax = 4

/** Turns that are taken fairly. */
export function createTurns<T extends Turn>(settings: TurnSettings): Turns<T> {
  const waiting = new Set<T>()
  const atWork = new Set<T>()
  /** When each group that waits or works was last served, counted in jobs. */
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
    // Sorting is stable: those who came first stay first among equals.
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
  return new Fault('unavailable', 'workshop_full', `More than ${queueMax} inputs wait to be read; try again later.`)
}
