import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, MCPTransport } from '@ai-sdk/mcp'
import { killGroup } from '../../../core/child-process.ts'

/** The longest line that is read: a longer one is skipped, and its call fails. */
const lineBytesMax = 8 * 1024 * 1024
/** A program that writes this much without a newline is killed. */
const skippedBytesMax = 256 * 1024 * 1024
/** How much of the start and end of an overlong line is kept, to find the id of its call. */
const inspectedBytes = 512

/** Variables that a program needs to find its interpreter and its home folder. */
const keptVariables = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

/** A program of this machine, from the configuration. */
export interface ProgramAddress {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/**
 * A program that speaks the Model Context Protocol over stdin and stdout, one message per line. At most `lineBytesMax` are
 * buffered: a longer reply becomes an error of its own call, and other calls continue.
 * https://modelcontextprotocol.io/specification/2025-06-18/basic/transports
 */
export function programTransport(address: ProgramAddress): MCPTransport {
  let child: ChildProcessByStdio<Writable, Readable, null> | undefined
  const transport: MCPTransport = {
    supportsProtocolVersionDiscovery: true,
    start: () =>
      new Promise((resolve, reject) => {
        const program = spawn(address.command, [...(address.args ?? [])], {
          env: environment(address.env),
          stdio: ['pipe', 'pipe', 'ignore'],
          // In its own process group: Ctrl-C is for the server, which lets its runs finish.
          detached: true,
        })
        child = program
        const fail = (error: Error): void => {
          reject(error)
          transport.onerror?.(error)
        }
        const lines = readLines({
          line: (line) => receive(transport, line),
          tooMuch: () => killGroup(program),
        })
        program.once('spawn', resolve)
        program.on('error', fail)
        program.stdin.on('error', fail)
        program.stdout.on('error', fail)
        program.stdout.on('data', lines)
        program.once('close', () => {
          child = undefined
          transport.onclose?.()
        })
      }),
    async send(message) {
      if (!child) throw new Error('The program has ended')
      const { stdin } = child
      if (!stdin.write(`${JSON.stringify(message)}\n`)) await new Promise((resolve) => stdin.once('drain', resolve))
    },
    async close() {
      child?.stdin.end()
      child?.kill()
      child = undefined
      transport.onclose?.()
    },
  }
  return transport
}

function environment(own: ProgramAddress['env']): Record<string, string> {
  const kept = keptVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), ...own }
}

/** A complete line, or the id of the call that an overlong line answers (null when it cannot be found). */
type Line = { readonly text: string } | { readonly tooLongFor: number | null }

/** Splits chunks into lines. */
function readLines({ line, tooMuch }: { line: (line: Line) => void; tooMuch: () => void }): (piece: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let head: Buffer | undefined
  let tail = Buffer.alloc(0)
  const take = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes <= lineBytesMax) {
      parts.push(piece)
      return
    }
    head ??= Buffer.from(Buffer.concat([...parts, piece]).subarray(0, inspectedBytes))
    tail = Buffer.from(Buffer.concat([tail, piece.subarray(-inspectedBytes)]).subarray(-inspectedBytes))
    parts = []
    if (bytes > skippedBytesMax) tooMuch()
  }
  const end = (): void => {
    line(head ? { tooLongFor: answeredBy(head, tail) } : { text: Buffer.concat(parts).toString('utf8') })
    parts = []
    bytes = 0
    head = undefined
    tail = Buffer.alloc(0)
  }
  return (piece) => {
    let from = 0
    for (let to = piece.indexOf(10); to >= 0; to = piece.indexOf(10, from)) {
      take(piece.subarray(from, to))
      end()
      from = to + 1
    }
    if (from < piece.length) take(piece.subarray(from))
  }
}

/** The id of the call that an overlong reply answers: it is at the start or the end of the JSON, depending on the server. */
function answeredBy(head: Buffer, tail: Buffer): number | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head.toString('latin1'))
  const last = /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail.toString('latin1'))
  const found = first?.[1] ?? last?.[1]
  return found === undefined ? null : Number(found)
}

function receive(transport: MCPTransport, line: Line): void {
  try {
    if ('text' in line) transport.onmessage?.(JSON.parse(line.text) as JSONRPCMessage)
    else if (line.tooLongFor === null) throw new Error('a reply was too long')
    else
      transport.onmessage?.({
        jsonrpc: '2.0',
        id: line.tooLongFor,
        error: { code: -32_000, message: `the reply is longer than ${lineBytesMax} bytes` },
      })
  } catch (error) {
    transport.onerror?.(error as Error)
  }
}
