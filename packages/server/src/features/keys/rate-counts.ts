import type { Sql } from '../../adapters/db/db.ts'
import { type RateCounts, rateWindowMs } from '../../adapters/http/rate.ts'

/** How often each process deletes counts of past minutes. */
const dropMs = 10 * rateWindowMs

/** Counts in the database, which all processes share. */
export function makeRateCounts(db: Sql): RateCounts {
  let droppedMs = 0
  return {
    async take({ who, count, now }) {
      const before = new Date(now.getTime() - rateWindowMs)
      // A process whose clock is ahead starts minutes that are in the future for others; counts of a clock that is far ahead are deleted.
      const after = new Date(now.getTime() + rateWindowMs)
      const [row] = await db.query<{ taken: number; beganAt: Date }>(
        `insert into rate_counts as r (who, began_at, taken) values ($1, $2, $3)
         on conflict (who) do update set
           taken = case when r.began_at > $4 and r.began_at < $5 then r.taken + $3 else $3 end,
           began_at = case when r.began_at > $4 and r.began_at < $5 then r.began_at else $2 end
         returning taken, began_at as "beganAt"`,
        [who, now, count, before, after],
      )
      if (Math.abs(now.getTime() - droppedMs) >= dropMs) {
        droppedMs = now.getTime()
        await db.query('delete from rate_counts where began_at < $1 or began_at > $2', [before, after])
      }
      return row ?? { taken: count, beganAt: now }
    },
  }
}
