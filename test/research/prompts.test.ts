import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SystemPrompt } from '../../src/research/prompts/prompt.ts'
import { modelRun } from './model-run.ts'

const FOLDER = new URL('../../src/research/prompts/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.system.ts'))

async function promptIn(name: string): Promise<SystemPrompt> {
  const all: Record<string, unknown> = await import(new URL(name, FOLDER).href)
  return Object.values(all).find((one) => typeof one === 'object') as SystemPrompt
}

describe('a prompt', () => {
  it.each(FILES)('is short, and has a version: %s', async (name) => {
    expect(readFileSync(new URL(name, FOLDER), 'utf8').split('\n').length).toBeLessThan(60)
    const { version, text } = await promptIn(name)
    expect([Number.isInteger(version), text.length > 200]).toEqual([true, true])
  })

  it('names each variable that is sent with it', async () => {
    const prompts = await Promise.all(FILES.map(promptIn))
    await using run = await modelRun({
      report: () => '## Answer\n\nThe ferry takes people [harbour.md::S1]. It takes 900 [harbour.md::S1].',
    })
    await run.run({ language: 'English' }, { 'harbour.md': 'The ferry carries 120 passengers.', 'b.md': 'It is so.' })
    const sent = run.requests.map((request) => {
      const [system, user] = (Object(request).body ?? Object(request)).messages.map(
        ({ content }: { content: unknown }) =>
          typeof content === 'string' ? content : String(Object(Object(content)[0]).text),
      )
      return { system, task: JSON.parse(user) }
    })
    const used = prompts.filter(({ text }) => sent.some(({ system }) => system === text))
    expect(used.length).toBeGreaterThanOrEqual(9)
    for (const { system, task } of sent) {
      for (const name of Object.keys(task)) expect(system).toMatch(new RegExp(`\\b${name}\\b`))
    }
  })
})
