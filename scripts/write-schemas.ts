/** Writes the JSON Schemas of the operations' answers to docs/schemas/. A test compares them. */

import { writeFileSync } from 'node:fs'
import { operations } from '../src/operations/index.ts'

for (const { name, summary, output } of operations) {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `${name}.schema.json` }
  const schema = { ...head, title: `ambit ${name} --json`, description: `${summary}.`, ...output() }
  writeFileSync(new URL(`../docs/schemas/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`)
}
