import { afterAll, describe, expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { editPlan } from '../../src/research/sessions/refusals.ts'
import { modelRun, nodeOf, runOf } from './model-run.ts'

const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
afterAll(() => engine.close())

const FACTS = Array.from({ length: 700 }, (_, at) => `Pump ${at} of the mill was painted green in spring.`).join(' ')
const FILES = {
  'mill.md': `# Mill\n\n${FACTS}\n\n## Price\n\nA sack of flour costs 9 euros.\n`,
  'boats.csv': 'city,country,boats\nBergen,Norway,120\nHull,England,80\n',
}
const OPTIONS = { extractive: true, searchCollections: false } as const

describe('a run over files that say more than a digest holds', () => {
  const question = 'What does a sack of flour cost, and how many boats has Bergen?'

  it('gives the root all that its questions need, and each child a part of that', async () => {
    const outcome = await runOf(engine, { ...OPTIONS, question }, FILES)
    const root = nodeOf(outcome, '1').slice?.selected_items ?? []
    const ids = new Set(root.map(({ id }) => id))
    expect(ids.size).toBe(root.length)
    for (const id of ['1.1', '1.2']) {
      const { slice } = nodeOf(outcome, id)
      const own = slice?.selected_items ?? []
      expect(own.length).toBeGreaterThan(0)
      expect(own.every((item) => ids.has(item.id))).toBe(true)
      expect(slice?.dropped_items_count).toBe(root.length - own.length)
    }
    expect(outcome.markdown).toMatch(/## Answer\n\n(?:.*\n)*?.*“A sack of flour costs 9 euros\.” \[mill\.md::S\d+\]/)
    expect(outcome.markdown).toContain('city: Bergen; country: Norway; boats: 120 [boats.csv::S2]')
  })

  it('says of each part whether it is answered, and gives the best grade only where all are', async () => {
    const whole = await runOf(engine, { ...OPTIONS, question }, FILES)
    expect(whole.shown.report?.grade).toBe('full')
    expect(nodeOf(whole, '1')).toMatchObject({ answered: 'yes', parts: [{ answered: 'yes' }, { answered: 'yes' }] })
    const part = await runOf(
      engine,
      { ...OPTIONS, question: `${question.slice(0, 36)} and who wrote the opera?` },
      FILES,
    )
    expect(nodeOf(part, '1').parts.map(({ answered }) => answered)).toEqual(['yes', 'no'])
    expect(part.markdown).toContain('*Some questions have no answer')
    expect(part.markdown).toContain('Not found: Who wrote the opera?')
  })

  it('begins its answer with what was not found, where nothing was', async () => {
    const outcome = await runOf(engine, { ...OPTIONS, question: 'Who wrote the opera?' }, FILES)
    expect(outcome.markdown).toMatch(/^\*Nothing was found\.\*\n\n## Answer\n\nNot found/m)
    expect(outcome.shown.report?.claims.every(({ verdict }) => verdict === 'supported')).toBe(true)
  })

  it('can be reported again, with nothing looked up again', async () => {
    const outcome = await runOf(engine, { ...OPTIONS, question }, FILES)
    const research = await engine.research()
    const again = await research.redo(outcome.id)
    expect(again.report?.markdown).toBe(outcome.markdown)
    expect(again.seq).toBeGreaterThan(outcome.shown.seq)
    expect((await research.redo(outcome.id)).report?.markdown).toBe(outcome.markdown)
    const { session_id } = await research.create({ ...OPTIONS, question })
    await expect(research.redo(session_id)).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a plan', () => {
  const plan = [{ question: 'A?' }, { question: 'B?', pinned: true }, { question: 'C?' }]

  it('is changed by the numbers that its questions have', () => {
    expect(editPlan(plan, { edit: ['3=D=E?'], drop: ['1.1'], pin: ['3'], add: ['F?'] })).toEqual([
      { question: 'B?', pinned: true },
      { question: 'D=E?', pinned: true },
      { question: 'F?' },
    ])
  })

  it.each(['0', '4', 'x', ''])('has no question %j', (name) => {
    expect(() => editPlan(plan, { drop: [name] })).toThrow('has no question')
  })
})

describe('a report of a model', () => {
  const supported = '“The ferry carries 120 passengers.” [harbour.md::S1]'

  it.each([
    [
      'what it says to whoever asked',
      `Sure! Here is the answer you asked for.\n\n${supported}\n\nLet me know if you need more!`,
    ],
    ['what stands before the answer', `# A title\n\nI have looked into it.\n\n## Answer\n\n${supported}`],
  ])('begins with its answer, without %s', async (_, said) => {
    await using run = await modelRun({ report: () => said })
    const { markdown, shown } = await run.run()
    expect(markdown).toContain(`*\n\n## Answer\n\n${supported}\n\n`)
    expect(markdown).not.toMatch(/Sure!|Let me know|I have looked|A title/)
    expect(shown.report?.claims.map(({ verdict }) => verdict)).toEqual(['supported'])
  })

  it.each(['Sure! Here is the answer you asked for.', '## Answer\n\nThe earth is flat [harbour.md::S1].'])(
    'is not taken where nothing of it is borne out: %s',
    async (said) => {
      await using run = await modelRun({ report: () => said })
      const { markdown, shown } = await run.run()
      expect(shown.report?.stages.report).toEqual(['extractive'])
      expect(markdown).not.toContain(said)
    },
  )

  it('is begun with no limit of cost that would limit nothing, and is paid for as it is said', async () => {
    await using run = await modelRun()
    await expect(run.run({ cost: 1 })).rejects.toMatchObject({ code: 'invalid-input' })
    const { shown } = await run.run({ cost: 1, price: '3/15' })
    expect(shown.spent.cost).toBeGreaterThan(0)
    const few = await run.run({ cost: 0.000001, price: '3000/15000' })
    expect(few.events.some(({ type, what }) => type === 'budget_exhausted' && what === 'cost')).toBe(true)
  })

  it.each(['3', '3/', '-1/2', 'a/b'])('has no price %j', async (price) => {
    const research = await engine.research()
    await expect(research.create({ ...OPTIONS, question: 'What?', price })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})

describe('what is computed on a table', () => {
  const table = 'city,country,boats\nBergen,Norway,120\nHull,England,80\nOslo,Norway,"1,040"\n'

  it.each([
    ['What is the total number of boats?', 'The sum of boats: 1240', 'SELECT SUM("boats") FROM "boats.csv"'],
    [
      'What is the sum of boats per country?',
      'The sum of boats by country: England: 80; Norway: 1160',
      'SELECT "country", SUM("boats") FROM "boats.csv" GROUP BY "country" ORDER BY "country"',
    ],
    [
      'How many cities are in Norway?',
      'The number of rows where country is Norway: 2',
      `SELECT COUNT(*) FROM "boats.csv" WHERE "country" = 'Norway'`,
    ],
    ['What is the lowest number of boats?', 'The lowest value of boats: 80', 'SELECT MIN("boats") FROM "boats.csv"'],
    ['What is the average of boats?', 'The average of boats: 413.333333', 'SELECT AVG("boats") FROM "boats.csv"'],
  ])('is shown with the statement, and is no quotation: %s', async (question, said, sql) => {
    const { markdown, shown } = await runOf(engine, { ...OPTIONS, question }, { 'boats.csv': table })
    expect(markdown).toContain(`- ${said} [boats.csv::S2], by \`${sql}\`\n`)
    expect(shown.report?.claims.filter(({ verdict }) => verdict !== 'supported')).toEqual([])
    expect(nodeOf({ shown } as Parameters<typeof nodeOf>[0], '1').findings[0]).toMatchObject({ sql })
  })

  it.each(['How many boats has Hull?', 'Which country is Oslo in?', 'How many pianos are in Norway?'])(
    'is nothing where no more is asked than a cell, or something else: %s',
    async (question) => {
      const { markdown } = await runOf(engine, { ...OPTIONS, question }, { 'boats.csv': table })
      expect(markdown).not.toContain('SELECT')
    },
  )
})
