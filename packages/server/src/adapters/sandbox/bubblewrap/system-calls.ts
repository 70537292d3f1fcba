/** System calls that scripts never need and that would allocate uncounted memory or bypass the namespaces. */
interface Calls {
  /** Value of the audit architecture (linux/audit.h). */
  readonly audit: number
  readonly socket: number
  /** System calls from this number on belong to another ABI of the same architecture. */
  readonly foreignFrom?: number
  readonly refused: readonly number[]
}

/** By `process.arch`; numbers from the kernel's system call tables. */
const callsOf: Readonly<Record<string, Calls>> = {
  x64: {
    audit: 0xc000_003e,
    socket: 41,
    foreignFrom: 0x4000_0000,
    // memfd_create, memfd_secret; shmget, semget, msgget, mq_open; ptrace, userfaultfd, bpf, perf_event_open, io_uring_setup;
    // add_key, request_key, keyctl
    refused: [319, 447, 29, 64, 68, 240, 101, 323, 321, 298, 425, 248, 249, 250],
  },
  arm64: {
    audit: 0xc000_00b7,
    socket: 198,
    refused: [279, 447, 194, 190, 186, 180, 117, 282, 280, 241, 425, 217, 218, 219],
  },
}

/** Unix, IPv4, IPv6, netlink: namespaces isolate these. Others, such as sockets of virtual machines, bypass the network namespace. */
const familiesAllowed = [1, 2, 10, 16]

const [load, jumpEqual, jumpAtLeast, give] = [0x20, 0x15, 0x35, 0x06]
const allow = 0x7fff_0000
const refuse = (errorNumber: number): number => 0x0005_0000 | errorNumber
const [noSuchCall, noSuchFamily] = [38, 97]
/** Offsets in seccomp_data (linux/seccomp.h): the number, the architecture, the lower half of the first argument. */
const [numberAt, architectureAt, firstArgumentAt] = [0, 4, 16]

/**
 * A filter of system calls for `bwrap --seccomp`, as a classic BPF program in little-endian byte order, which all supported
 * architectures use. A refused call fails with ENOSYS, a refused socket family with EAFNOSUPPORT. Undefined for other architectures.
 */
export function systemCallFilter(architecture: string = process.arch): Buffer | undefined {
  const calls = callsOf[architecture]
  if (calls === undefined) return undefined
  const { audit, socket, foreignFrom, refused } = calls
  const families = [
    [load, 0, 0, firstArgumentAt],
    ...familiesAllowed.flatMap((family) => [
      [jumpEqual, 0, 1, family],
      [give, 0, 0, allow],
    ]),
    [give, 0, 0, refuse(noSuchFamily)],
  ]
  const lines = [
    [load, 0, 0, architectureAt],
    [jumpEqual, 1, 0, audit],
    [give, 0, 0, refuse(noSuchCall)],
    [load, 0, 0, numberAt],
    ...(foreignFrom === undefined
      ? []
      : [
          [jumpAtLeast, 0, 1, foreignFrom],
          [give, 0, 0, refuse(noSuchCall)],
        ]),
    ...refused.flatMap((number) => [
      [jumpEqual, 0, 1, number],
      [give, 0, 0, refuse(noSuchCall)],
    ]),
    [jumpEqual, 0, families.length, socket],
    ...families,
    [give, 0, 0, allow],
  ]
  const filter = Buffer.alloc(lines.length * 8)
  for (const [at, [code = 0, whenTrue = 0, whenFalse = 0, value = 0]] of lines.entries()) {
    filter.writeUInt16LE(code, at * 8)
    filter.writeUInt8(whenTrue, at * 8 + 2)
    filter.writeUInt8(whenFalse, at * 8 + 3)
    filter.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return filter
}
