// Preloaded into a server process: shifts its clock by the milliseconds in the file CHAOS_CLOCK, which is read again at
// each SIGUSR2. Elapsed time is unaffected, as when a machine's clock is set.
import { readFileSync } from 'node:fs'

const file = process.env['CHAOS_CLOCK']
const MachineDate = Date
let offsetMs = 0

function read() {
  offsetMs = Number(readFileSync(file, 'utf8'))
}

globalThis.Date = class ShiftedDate extends MachineDate {
  constructor(...parts) {
    if (parts.length === 0) super(MachineDate.now() + offsetMs)
    else super(...parts)
  }

  static now() {
    return MachineDate.now() + offsetMs
  }

  static [Symbol.hasInstance](value) {
    return value instanceof MachineDate
  }
}

if (file) {
  read()
  process.on('SIGUSR2', read)
}
