import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SecondTries } from './test/support/second-tries.ts'

const isCI = process.env.CI !== undefined

/** Tests that start programs from dist/: the build runs once before them. */
const PACKAGED = ['test/package/**/*.test.ts', 'test/stories/**/*.test.ts']

/** Tests of the built web UI, in a real browser. */
const WEB = ['test/web/**/*.test.ts']

/** Files of long tests alone. Whoever leaves these out need not load them either. */
const LONG = process.argv.includes('--tags-filter=!long')
  ? globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
      readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes('@module-tag long'),
    )
  : []

/** How often a property is tried depends on the tier; the proof tries it more often, and counts that. */
const properties = { 'fast-check': `${import.meta.dirname}/test/support/fast-check.ts` }

/** The mode is `test` or `long`, the tier of the tests. */
export default defineConfig(({ mode }) => ({
  resolve: { alias: properties },
  test: {
    env: { TEST_TIER: mode },
    pool: 'forks',
    // By itself it would leave a core free. One more than there are cores: tests wait for processes of their own. Long ones hold the machine.
    maxWorkers: availableParallelism() + (mode === 'long' ? 0 : 1),
    // For what never ends: a busy machine takes its time, and what has to be quick is measured apart.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'long', description: 'seconds of a core, or many of waiting', timeout: 600_000 }],
    // In CI a test that fails is tried once more, and told by name at the end; a counterexample of a property is never.
    retry: isCI ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    // A program counts the results from the files, one for each tier; people read the other.
    reporters: isCI
      ? ['default', ['json', { outputFile: `.cache/tests-${mode}.json` }], new SecondTries('.cache/second-tries.txt')]
      : ['default'],
    coverage: { include: ['src/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...PACKAGED, ...WEB, ...LONG],
          // Files share a worker: they keep no global state, and start-up would take longer than the tests.
          isolate: false,
          globalSetup: ['test/support/postgres-run.ts', 'test/support/nobody-run.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: PACKAGED,
          exclude: LONG,
          // Long ones have a program of their own, which they name to all that they import.
          isolate: mode === 'long',
          globalSetup: ['test/package/build.ts', 'test/support/postgres-run.ts'],
        },
      },
      {
        extends: true,
        // Its files share a worker, and so a browser. Projects run by name: the longest file of all is one of these, and so starts early.
        test: { name: 'browser', include: WEB, exclude: LONG, isolate: false, globalSetup: 'test/package/build.ts' },
      },
    ],
  },
}))
