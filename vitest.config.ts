import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,training}/**/*.test.ts', 'bench/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page of a browser on a busy machine takes its time; what is awaited comes, or the test fails.
    expect: { poll: { timeout: 15_000 } },
    globalSetup: ['test/support/database.setup.ts'],
    setupFiles: ['test/support/watch.setup.ts'],
    maxWorkers: 2,
  },
})
