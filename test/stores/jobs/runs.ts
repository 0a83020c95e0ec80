import { setTimeout as sleep } from 'node:timers/promises'
import { openWith } from '../../../src/open.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'

export const FILES: Readonly<Record<string, string>> = {
  'ferry.md': '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n',
  'harbour.md': '# Harbour\n\nThe crane of the harbour lifts 40 tons.\nA single ticket costs 5 euros at the harbour.\n',
  'crew.md': '# Crew\n\nThe captain of the ferry is Ada Holm.\nThe crew is four people in winter.\n',
}
export const QUESTION =
  'How much is a single ticket, when does the last boat leave in winter, and who is the captain of the ferry?'

/** What comes in the end, on a machine of any speed. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 400_000): Promise<void> {
  for (const end = Date.now() + ms; !(await isSo()); await sleep(50)) {
    if (Date.now() > end) throw new Error(`It did not come in ${ms} ms: ${isSo}`)
  }
}

/** The report of a run that nobody disturbed. */
export async function undisturbed(): Promise<string> {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  const research = await engine.research()
  const { session_id } = await research.create({ question: QUESTION, extractive: true })
  for (const [name, text] of Object.entries(FILES)) {
    await research.addFile(session_id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
  }
  await research.run(session_id)
  const { markdown } = await research.report(session_id)
  await engine.close()
  return markdown
}

/** What is wrong with a log: gaps, and what was done more than once. */
export async function logProblems(url: string, session: string): Promise<string[]> {
  const store = await openPostgres(url)
  try {
    const records = await store.runs.records(session, 0, 10_000)
    const keys = records.map(({ data }) => String(JSON.parse(data).key))
    const made = records.flatMap(({ data }) => Object.keys(JSON.parse(data).made))
    return [
      ...records.filter(({ seq }, index) => seq !== index + 1).map(({ seq }) => `a gap before ${seq}`),
      ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} twice`),
      ...made.filter((name, index) => made.indexOf(name) !== index).map((name) => `${name} was made twice`),
    ]
  } finally {
    await store.close()
  }
}
