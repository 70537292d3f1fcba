import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = '/usr/lib/postgresql'

/** The programs of the PostgreSQL that the system has, run as a user that is not root. */
export interface SystemPostgres {
  /** The folder of a cluster. */
  folderOf(name: string): string
  /** A folder that its user may write to. */
  makeFolder(name: string): Promise<string>
  run(program: string, args: readonly string[]): Promise<string>
  /** Starts the cluster in the folder of that name; its socket is in the place of all. */
  start(name: string, port: number, settings?: readonly string[]): Promise<void>
  stop(name: string, mode: 'fast' | 'immediate'): Promise<void>
  /** A statement as superuser; the result as psql prints it without decoration. */
  query(port: number, text: string): Promise<string>
}

/** Throws when the system has no PostgreSQL. */
export function findSystemPostgres(place: string): SystemPostgres {
  const version = existsSync(root) ? readdirSync(root).sort().at(-1) : undefined
  if (version === undefined) throw new Error(`There is no PostgreSQL in ${root}: apt-get install postgresql`)
  // PostgreSQL does not run as root.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  if (user) chownSync(place, user.uid, user.gid)
  const run: SystemPostgres['run'] = async (program, args) => {
    const { stdout } = await promisify(execFile)(join(root, version, 'bin', program), args, { ...user, cwd: place })
    return stdout.trim()
  }
  const folderOf = (name: string) => join(place, name)
  return {
    folderOf,
    async makeFolder(name) {
      await mkdir(folderOf(name), { mode: 0o700 })
      if (user) chownSync(folderOf(name), user.uid, user.gid)
      return folderOf(name)
    },
    run,
    async start(name, port, settings = []) {
      const all = [`unix_socket_directories=${place}`, 'listen_addresses=', 'max_connections=200', ...settings]
      const options = [`-p ${port}`, ...all.map((one) => `-c "${one}"`)].join(' ')
      // Without the log file, pg_ctl would wait for the end of its output.
      await run('pg_ctl', ['start', '-w', '-D', folderOf(name), '-l', join(place, `${name}.log`), '-o', options])
    },
    async stop(name, mode) {
      await run('pg_ctl', ['stop', '-w', '-m', mode, '-D', folderOf(name)])
    },
    query: (port, text) =>
      run('psql', ['-X', '-A', '-t', '-h', place, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-c', text]),
  }
}

/** Makes a cluster with the role and the empty database `skillrun`, and starts it. */
export async function startPrimary(
  postgres: SystemPostgres,
  port: number,
  settings: readonly string[] = [],
): Promise<void> {
  await postgres.run('initdb', ['-D', postgres.folderOf('primary'), '-U', 'postgres', '-A', 'trust'])
  await postgres.start('primary', port, settings)
  await postgres.query(port, `create role skillrun login password 'secret'`)
  await postgres.query(port, 'create database skillrun owner skillrun')
}
