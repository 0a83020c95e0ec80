import { expect, it } from 'vitest'
import { Assistant } from '../../../src/agent/assistant.ts'
import { local } from '../../../src/models/providers/language-local.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { inBucket } from '../../context/catalog/labs.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'

const made = packageOf(
  { 'README.md': { text: '# Rain\n\nThe gauge was emptied each morning.\n' }, 'a.csv': { text: 'a,b\n1,2\n' } },
  { message: 'calibrated anew', user_meta: { instrument: 'gauge 7' } },
)

it.each([
  ['what is the message of the package?', /calibrated anew/],
  ['which instrument was used?', /gauge 7/],
  ['how many entries has the package?', /"?totalEntries"?: 2/],
])('%s is answered from the facts of the package', async (question, fact) => {
  await using lab = await inBucket(registryV1({ 'team/rain': { 1680720300: made } }))
  const engine = { ...lab.engine, language: async () => local() }
  const place = `quilt+s3://${lab.bucket}#package=team/rain`
  const assistant = new Assistant({ engine, makeTools: assistantTools(engine, operations), place })
  const { answer } = await assistant.ask(question, { emit: () => {} })
  expect(answer).toMatch(fact)
})
