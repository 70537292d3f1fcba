import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, in the order in which they begin: one that begins last would keep the whole run waiting. Without plain-machines,
 * which installs packages: beside the others here it took twice as long, and more than a file may.
 */
const longest: readonly string[] = [
  'test/guides.test.ts',
  'test/backup.test.ts',
  'test/naughty-texts.test.ts',
  'test/same-answer.test.ts',
  'test/console-accessible.test.ts',
  'test/serve.test.ts',
  'test/improvements.test.ts',
  'test/ssrf-places.test.ts',
  'test/command-line-whole.test.ts',
  'test/delta.test.ts',
  'test/rolling-upgrade.test.ts',
  'test/chaos.test.ts',
  'test/processes.test.ts',
  'test/packages.test.ts',
  'test/python-client.test.ts',
  'test/improvement-crash.test.ts',
  'packages/reader/src/media/known-pages.test.ts',
  'packages/cli/src/commands/commands.test.ts',
  'packages/server/src/adapters/db/embedded/start.test.ts',
]

/** Begins with the files that take longest, as known here; the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return index === -1 ? longest.length : index
    }
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right))
  }
}
