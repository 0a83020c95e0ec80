/** A project, collections, a package and a session of research that hold a text in every place where one can stand. */

import type { Client } from '@modelcontextprotocol/client'
import { openWith } from '../../../src/open.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { tree } from '../../support/tree.ts'
import { answerOf } from './support.ts'

type Result = Awaited<ReturnType<Client['callTool']>>

/** What a tool was asked, and what it answered. */
export interface Answered {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: Result
}

/** @param text what is planted; a name of a file has what of it a name can hold. */
export async function plantHostile(text: string) {
  const name = `${[...text.replace(/[/\0]/g, '').toWellFormed()].slice(0, 20).join('')}x`
  const made = packageOf({ 'a.txt': { text } }, { message: text, user_meta: { [text]: [text] } })
  // What something is said of may have no control characters in its name.
  const spoken = `${name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '')}y`
  const planted = tree({
    '.git/': '',
    'AGENTS.md': `# ${text}\n\nword ${text}\n`,
    [`${name}/AGENTS.md`]: `${text}\n`,
    '.context/CONSTITUTION.md': `# C\n\n- ${text}\n`,
    '.context/TASKS.md': `# T\n\n- [ ] ${text} #${text}\n`,
    'facts.md': `# Facts\n\nThe boat leaves at nine. ${text}\n`,
    'docs/a.md': `---\ntitle: a\n---\n# ${text}\n\nword ${text}\n`,
    [`docs/${name}/${name}.md`]: `# ${text}\n\nword\n${text}\n`,
    [`docs/${spoken}/b.md`]: `# b\n\nword ${text}\n`,
    ...Object.fromEntries(
      Object.entries(registryV1({ 'team/data': { 1680720300: made } })).map(([path, body]) => [
        `docs/${path}`,
        String(body),
      ]),
    ),
  })
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  await answerOf(engine, 'collections.add', { name: 'docs', root: planted.at('docs') })
  await answerOf(engine, 'index', {})
  const said = text.replaceAll('\0', '').toWellFormed()
  await answerOf(engine, 'contexts.add', { path: 'docs', text: `about ${said}` })
  await answerOf(engine, 'contexts.add', { path: `docs/${spoken}`, text: `about ${said}` })
  return {
    engine,
    name,
    spoken,
    at: planted.at,
    [Symbol.asyncDispose]: async () => {
      await engine.close()
      planted[Symbol.dispose]()
    },
  }
}

type Planted = Awaited<ReturnType<typeof plantHostile>>

/** Calls every tool: so that it answers, and so that it refuses. */
export async function callAll(client: Client, { at, name, spoken }: Planted, text: string): Promise<Answered[]> {
  const answered: Answered[] = []
  const call = async (tool: string, input: Readonly<Record<string, unknown>>) => {
    const result = await client.callTool({ name: tool, arguments: input })
    answered.push({ name: tool, input, result })
    return result
  }
  const place = at('AGENTS.md')
  const touched = [at(`${name}/a.ts`)]
  for (const format of ['xml', 'markdown']) await call('load_context', { place, touched, format, task: text })
  await call('load_context', { place, fresh: true, budget: 500 })
  await call('load_context', { place: 'docs/a.md' })
  await call('load_context', { place: 'docs/team/data' })
  await call('load_context', { place: text })
  await call('explain_context', { place, touched, whyNot: text })
  for (const task of ['word', `word ${text}`]) await call('task_context', { place, task })
  await call('search', { query: 'word' })
  await call('search', { query: `word ${text}`, sections: 3, budget: 500 })
  await call('search', { query: 'word', where: [text] })
  for (const path of ['docs/a.md', `docs/${name}/${name}.md`, `docs/${text}`]) await call('get', { path })
  await call('multi_get', { pattern: 'docs/**' })
  await call('multi_get', { pattern: text })
  await call('list', {})
  await call('list', { place: 'docs' })
  await call('list', { place: `docs/${text}` })
  await call('status', {})
  await call('context_list', {})
  await call('context_check', { strict: true })
  await call('package_show', { package: 'docs/team/data' })
  await call('package_show', { package: `docs/team/${text}` })
  const begun = await call('research_start', { question: `When does the boat leave? ${text}`, files: [at('facts.md')] })
  const session = String(Object(begun.structuredContent).session_id)
  for (let turn = 0; turn < 200; turn++) {
    const { structuredContent } = await client.callTool({ name: 'research_status', arguments: { session } })
    if (Object(structuredContent).status === 'completed') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await call('research_status', { session })
  await call('research_report', { session })
  await call('research_report', { session: text })
  await call('context_add', { path: `docs/${spoken}`, text: `about ${text.toWellFormed()}` })
  await call('context_remove', { path: `docs/${spoken}` })
  await call('index', {})
  await call('index', { names: [text] })
  return answered
}
