import { createHook } from 'node:async_hooks'
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server that a test starts (`NODE_OPTIONS=--import=…`): counts its work. At each SIGUSR2 it prints a line
 * `work {…}` with what was counted since the start. The figures do not depend on how busy the machine is.
 */
if (isMainThread && process.env.SKILLRUN_COUNT_WORK) {
  // Its children are not measured.
  delete process.env.SKILLRUN_COUNT_WORK
  delete process.env.NODE_OPTIONS
  countWork()
}

function countWork() {
  const work = { databaseWrites: 0, providerWrites: 0, clientWrites: 0, deadlines: 0 }
  /** How often each statement was sent, in how many bytes, and how often it began a transaction. */
  const statements = {}
  const { _writeGeneric: writeGeneric } = Socket.prototype
  Socket.prototype._writeGeneric = function counted(isMany, data, encoding, callback) {
    // One call is one write to the operating system; before the connection is there, it is called again.
    if (!this.connecting) {
      const chunks = (isMany ? data.map(({ chunk }) => chunk) : [data]).map((one) => Buffer.from(one))
      const bytes = Buffer.concat(chunks)
      this.isDatabase ??= bytes.length >= 8 && bytes.readUInt32BE(4) === startupVersion
      if (this.isDatabase) {
        work.databaseWrites += 1
        countStatements(this, bytes, statements)
      } else if (this.server) work.clientWrites += 1
      else work.providerWrites += 1
    }
    return writeGeneric.call(this, isMany, data, encoding, callback)
  }

  const deadline = AbortSignal.timeout
  AbortSignal.timeout = (ms) => {
    work.deadlines += 1
    return deadline.call(AbortSignal, ms)
  }

  const timers = new Set()
  createHook({
    init: (id, type) => type === 'Timeout' && timers.add(id),
    destroy: (id) => timers.delete(id),
  }).enable()

  process.on('SIGUSR2', () => {
    process.stdout.write(`work ${JSON.stringify({ ...work, timers: timers.size, statements })}\n`)
  })
}

/** The version of PostgreSQL's protocol in the first message of a connection. */
const startupVersion = 0x00030000

/** Reads the messages of PostgreSQL's frontend protocol: `P` prepares a statement, `B` binds one, `E` runs it; `Q` runs a text. */
function countStatements(socket, bytes, statements) {
  socket.prepared ??= new Map()
  socket.unread = Buffer.concat([socket.unread ?? Buffer.alloc(0), bytes])
  if (!socket.hasStarted) {
    if (socket.unread.length < socket.unread.readUInt32BE(0)) return
    socket.unread = socket.unread.subarray(socket.unread.readUInt32BE(0))
    socket.hasStarted = true
  }
  while (socket.unread.length >= 5 && socket.unread.length > socket.unread.readUInt32BE(1)) {
    const kind = String.fromCharCode(socket.unread[0])
    const end = 1 + socket.unread.readUInt32BE(1)
    const fields = socket.unread.toString('latin1', 5, end).split('\0', 2)
    socket.unread = socket.unread.subarray(end)
    if (kind === 'P') socket.prepared.set(fields[0], fields[1])
    if (kind === 'B') socket.bound = { text: socket.prepared.get(fields[1]), bytes: end }
    if (kind === 'Q') countStatement(socket, { text: fields[0], bytes: end }, statements)
    if (kind === 'E') countStatement(socket, socket.bound, statements)
  }
}

function countStatement(socket, { text, bytes }, statements) {
  const short = text.trim().replaceAll(/\s+/g, ' ').slice(0, 100)
  statements[short] ??= { count: 0, bytes: 0, transactions: 0 }
  const one = statements[short]
  one.count += 1
  one.bytes += bytes
  const begins = /^begin/i.test(short)
  if (begins || !socket.isInTransaction) one.transactions += 1
  if (begins) socket.isInTransaction = true
  else if (/^(commit|rollback)/i.test(short)) socket.isInTransaction = false
}
