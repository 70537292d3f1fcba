import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTurns, type Turn } from './turns.ts'

interface Named extends Turn {
  readonly name: string
}

const settings = { atWorkMax: 2, quickAtWorkMax: 1, queueMax: 100, queueTotalMax: 200 }

/** `a1`: of group a and rank 1; `a1!` is quick. */
const turn = (name: string): Named => ({
  name,
  group: name.charAt(0),
  rank: Number(name.charAt(1)),
  isQuick: name.endsWith('!'),
})

function line(...names: string[]) {
  const turns = createTurns<Named>(settings)
  const all = new Map<string, Named>()
  const come = (...more: string[]) => {
    for (const name of more) {
      const one = turn(name)
      all.set(name, one)
      turns.wait(one)
    }
  }
  const end = (name: string) => turns.end(all.get(name) as Named)
  const begin = (): string[] => {
    const begun: string[] = []
    for (let next = turns.take(); next; next = turns.take()) begun.push(next.name)
    return begun
  }
  come(...names)
  return { turns, come, end, begin }
}

describe('turns', () => {
  test('of one group come in order, up to the number of slots', () => {
    const { begin, end } = line('a1 first', 'a1 second', 'a1 third')
    expect(begin()).toEqual(['a1 first', 'a1 second'])
    end('a1 first')
    expect(begin()).toEqual(['a1 third'])
  })

  test('of another group come immediately, although one group has all slots', () => {
    const { begin, come } = line('a1 first', 'a1 second', 'a1 third')
    begin()
    come('b1 first', 'b1 second')
    expect(begin()).toEqual(['b1 first'])
  })

  test('of groups alternate', () => {
    const { begin, end, come } = line('a1 1', 'a1 2', 'a1 3', 'a1 4')
    begin()
    come('b1 1', 'b1 2', 'c1 1')
    expect(begin()).toEqual(['b1 1'])
    end('a1 1')
    expect(begin()).toEqual(['c1 1'])
    end('b1 1')
    expect(begin()).toEqual(['b1 2'])
    end('b1 2')
    end('c1 1')
    expect(begin()).toEqual(['a1 3'])
  })

  test('of a lower rank go first, and have a slot although longer work has all others', () => {
    const { begin, end, come } = line('a1 1', 'a1 2', 'a1 3')
    begin()
    come('a0 urgent', 'a0 urgent too')
    expect(begin()).toEqual(['a0 urgent'])
    end('a1 1')
    end('a1 2')
    expect(begin()).toEqual(['a0 urgent too'])
  })

  test('of a higher rank come eventually, however many go first', () => {
    const { begin, end, come } = line('a2 patient', 'a0 0', 'a0 1')
    const begun = begin()
    for (let index = 2; index < 9; index += 1) {
      come(`a0 ${index}`)
      end(begun.at(-1) ?? '')
      begun.push(...begin())
    }
    expect(begun).toContain('a2 patient')
  })

  test('of quick jobs come although all other slots are taken, and one group never has all', () => {
    const { begin, come } = line('a1 1', 'a1 2')
    begin()
    come('b1 1', 'a1 quick!', 'a1 more!')
    expect(begin()).toEqual(['a1 quick!', 'b1 1'])
    come('b1 quick!')
    expect(begin()).toEqual(['b1 quick!'])
  })

  test('are refused beyond the queue limit of their group, and of all', () => {
    const turns = createTurns<Named>({ ...settings, queueMax: 2, queueTotalMax: 3 })
    turns.wait(turn('a1 1'))
    const second = turn('a1 2')
    turns.wait(second)
    expect(() => turns.wait(turn('a1 3'))).toThrow(expect.objectContaining({ code: 'process_pool_full' }))
    turns.wait(turn('b1 1'))
    expect(() => turns.wait(turn('c1 1'))).toThrow(expect.objectContaining({ code: 'process_pool_full' }))
    turns.leave(second)
    expect(() => turns.wait(turn('c1 1'))).not.toThrow()
  })

  test('are all taken once, never more concurrently than there are slots including the reserve', () => {
    const names = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(2), fc.boolean()), { maxLength: 40 })
    fc.assert(
      fc.property(names, fc.nat(4), (jobs, endEvery) => {
        const turns = createTurns<Named>(settings)
        jobs.forEach(([group, rank, isQuick], index) => {
          turns.wait(turn(`${group}${rank} ${index}${isQuick ? '!' : ''}`))
        })
        const atWork: Named[] = []
        const taken = new Set<string>()
        for (let step = 0; taken.size < jobs.length && step < 1_000; step += 1) {
          for (let next = turns.take(); next; next = turns.take()) {
            taken.add(next.name)
            atWork.push(next)
          }
          if (atWork.filter((one) => !one.isQuick).length > settings.atWorkMax + 1) return false
          if (atWork.filter((one) => one.isQuick).length > settings.quickAtWorkMax + 1) return false
          for (const ended of atWork.splice(0, endEvery + 1)) turns.end(ended)
        }
        return taken.size === jobs.length
      }),
    )
  })
})
