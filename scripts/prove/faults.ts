import type { Part } from './proving.ts'
import { tested } from './vitest.ts'

/** Where faults of others are tried, by who has them. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'of object stores': [
    'test/files/s3-faults.test.ts',
    'test/files/s3-access.test.ts',
    'test/reliability/objects.test.ts',
    'test/context/catalog/bad-buckets.test.ts',
  ],
  'of models': ['test/reliability/agent.test.ts', 'test/research/models.test.ts', 'test/reliability/chat.test.ts'],
  'of web search and pages': ['test/internet/providers.test.ts', 'test/research/web.test.ts'],
  'of PostgreSQL': ['test/stores/postgres/faults.test.ts'],
}

export const faults: Part = {
  name: 'faults',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim:
    'whatever a model, a search service, a page, a bucket or a database does wrong has a defined outcome: 503, slow-down, bodies in part, expired credentials, streams that are cut',
  async prove(proving) {
    await proving.rounds('rounds', proving.of({ ci: 1, quick: 1, full: 5 }), async () => {
      for (const [whose, files] of Object.entries(FILES)) {
        for (const { fullName, status, failureMessages = [] } of await tested(files)) {
          if (status === 'failed') proving.lose(`${fullName}: ${failureMessages.join(' ')}`)
          else proving.add(status === 'passed' ? `faults ${whose}` : 'skipped')
        }
      }
    })
  },
}
