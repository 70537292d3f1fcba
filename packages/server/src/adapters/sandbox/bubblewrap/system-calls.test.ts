import { expect, test } from 'vitest'
import { systemCallFilter } from './system-calls.ts'

/** The filter's verdict on a call: interprets the used subset of classic BPF (linux/filter.h). */
function verdictOf(filter: Buffer, call: { number: number; audit: number; first?: number }): number {
  const data: Readonly<Record<number, number>> = { 0: call.number, 4: call.audit, 16: call.first ?? 0 }
  let held = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const [whenTrue, whenFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return value
    if (code === 0x20) held = data[value] ?? 0
    else at += (code === 0x15 ? held === value : held >= value) ? whenTrue : whenFalse
  }
  throw new Error('the filter has no end')
}

const allowed = 0x7fff_0000
const [noSuchCall, noSuchFamily] = [0x0005_0026, 0x0005_0061]

test.each([
  { architecture: 'x64', audit: 0xc000_003e, read: 0, memory: 319, socket: 41 },
  { architecture: 'arm64', audit: 0xc000_00b7, read: 63, memory: 279, socket: 198 },
])(
  'on $architecture a filter lets pass what scripts do, and refuses memory and sockets out of their bounds',
  (machine) => {
    const filter = systemCallFilter(machine.architecture) ?? Buffer.alloc(0)
    const verdict = (number: number, first?: number) =>
      verdictOf(filter, { number, audit: machine.audit, ...(first === undefined ? {} : { first }) })
    expect(verdict(machine.read)).toBe(allowed)
    expect(verdict(machine.memory)).toBe(noSuchCall)
    expect([1, 2, 10, 16].map((family) => verdict(machine.socket, family))).toEqual([
      allowed,
      allowed,
      allowed,
      allowed,
    ])
    expect([40, 38, 17, 0].map((family) => verdict(machine.socket, family))).toEqual(Array(4).fill(noSuchFamily))
  },
)

test('calls of another architecture, or of its other table, are refused whatever their number', () => {
  const filter = systemCallFilter('x64') ?? Buffer.alloc(0)
  expect(verdictOf(filter, { number: 0, audit: 0x4000_0003 })).toBe(noSuchCall)
  expect(verdictOf(filter, { number: 0x4000_0000, audit: 0xc000_003e })).toBe(noSuchCall)
})

test('a machine with unknown system calls has no filter', () => {
  expect(systemCallFilter('mips')).toBeUndefined()
})
