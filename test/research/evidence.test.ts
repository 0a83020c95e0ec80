import { describe, expect, it, vi } from 'vitest'
import { passagesIn } from '../../src/research/run/done-work.ts'
import { byPosition } from '../../src/research/run/evidence.ts'
import { editPlan } from '../../src/research/sessions/refusals.ts'
import { MODEL, memoryEngine, modelRun, nodeOf, runOf, type Script, type Task } from './model-run.ts'

const engine = memoryEngine()

const FACTS = Array.from({ length: 700 }, (_, at) => `Pump ${at} of the mill was painted green in spring.`).join(' ')
const FILES = {
  'mill.md': `# Mill\n\n${FACTS}\n\n## Price\n\nA sack of flour costs 9 euros.\n`,
  'boats.csv': 'city,country,boats\nBergen,Norway,120\nHull,England,80\n',
}
const OPTIONS = { extractive: true, searchCollections: false } as const

describe('a run over files that say more than a digest holds', () => {
  const question = 'What does a sack of flour cost? How many boats has Bergen?'

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
    expect(outcome.markdown).toMatch(
      /## Answer\n\n### What does a sack of flour cost\?\n\n> A sack of flour costs 9 euros\.\n\n\[1\] mill\.md:7 › Mill › Price\n/,
    )
    expect(outcome.markdown).toContain('city: Bergen; country: Norway; boats: 120 [2] boats.csv:2')
  })

  it('claims no answer, and says of each part whether there are passages near it', async () => {
    const parts = await runOf(engine, { ...OPTIONS, question: 'What does flour cost? Who wrote the opera?' }, FILES)
    expect(parts.shown.report?.grade).toBe('partial')
    expect(nodeOf(parts, '1')).toMatchObject({ answered: 'part', parts: [{ answered: 'part' }, { answered: 'no' }] })
    expect(nodeOf(parts, '1.1')).toMatchObject({ status: 'partial' })
    expect(parts.markdown).toContain('### Who wrote the opera?\n\nNot found: Who wrote the opera?')
    expect(parts.markdown).toContain('Nothing that was read holds “wrote”, “opera”.')
  })

  it('leaves a question open of which it answers no part', async () => {
    const outcome = await runOf(engine, { ...OPTIONS, question: 'Who wrote the opera? Who sang the aria?' }, FILES)
    expect(outcome.shown.nodes.map(({ status }) => status)).toEqual(Array(3).fill('unresolved'))
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

it('has what two questions found in one place as one passage, in the order of their numbers', () => {
  const found = (text: string) => ({ passages: [{ ref: 'a', text }] })
  const results = { '1.10/search-0': found('Ten.'), '1.2/search-0': found('Two. One.'), '1.2/search-1': found('One.') }
  expect([...passagesIn(new Map(Object.entries(results)))]).toEqual([['a', { ref: 'a', text: 'Two. One.\n\nTen.' }]])
})

describe('a plan', () => {
  const plan = [{ question: 'A?' }, { question: 'B?', pinned: true }, { question: 'C?' }]

  it('is in the order of the numbers of its questions', () => {
    expect(['1.10', '1.2', '1'].sort(byPosition)).toEqual(['1', '1.2', '1.10'])
  })

  it('is changed by the numbers that its questions have', () => {
    expect(editPlan(plan, { edit: ['3=D=E?'], drop: ['1.1'], pin: ['3'], add: ['F?'] })).toEqual([
      { question: 'B?', pinned: true },
      { question: 'D=E?', pinned: true },
      { question: 'F?' },
    ])
  })

  it('has a brief, of which a person changes the parts and the form', async () => {
    await using run = await modelRun()
    const { id, shown } = await run.run({ plan: true })
    expect([shown.status, shown.brief?.reader]).toEqual(['planned', 'A sailor.'])
    const research = await run.engine.research()
    const changes = { parts: ['What lifts?'], form: 'One line.' }
    const { brief } = await research.editPlan(id, { part: changes.parts, form: changes.form })
    expect(brief).toMatchObject({ ...changes, reader: 'A sailor.' })
    await research.run(id)
    const asked = (stage: string) => run.asked.find((one) => one.stage === stage)?.task
    expect(asked('report').brief).toMatchObject(changes)
    expect(asked('grade').parts).toMatchObject([{ text: 'What lifts?' }])
  })

  it.each(['0', '4', 'x', ''])('has no question %j', (name) => {
    expect(() => editPlan(plan, { drop: [name] })).toThrow('has no question')
  })
})

/** A judge that says this of each claim. */
const judging =
  (verdict: (claim: string, lacks?: string) => object): NonNullable<Script['judge']> =>
  ({ claims }) => ({ verdicts: claims.map(({ id, claim, lacks }: Task) => ({ id, ...verdict(claim, lacks) })) })

/** A repair that writes the first paragraph so. */
const written =
  (text: (paragraph: Task) => string) =>
  ({ paragraphs: [first] }: Task) => ({ paragraphs: [{ id: first.id, text: text(first) }] })

describe('a report of a model', () => {
  const supported = '“The ferry carries 120 passengers.” [1]'

  it('begins with its answer, without what stands before it', async () => {
    await using run = await modelRun({
      report: () => `# A title\n\nI have looked into it.\n\n## Answer\n\n${supported}`,
    })
    const { markdown, shown } = await run.run()
    expect(markdown).toContain(`*\n\n## Answer\n\n${supported}\n\n`)
    expect(markdown).not.toMatch(/I have looked|A title/)
    expect(shown.report?.claims.map(({ verdict }) => verdict)).toEqual(['supported'])
  })

  it.each(['It is said to be so.', 'The earth is 900 miles flat [harbour.md::S1].'])(
    'is not left out where nothing of it is borne out, and each statement is marked: %s',
    async (said) => {
      await using run = await modelRun({
        report: () => `## Answer\n\n${said}`,
        judge: judging(() => ({ verdict: 'no' })),
      })
      const { markdown, shown } = await run.run()
      expect(shown.report?.stages.report).toEqual([MODEL])
      expect(markdown).toMatch(/\*\((?:not borne out by its source|no source)\)\*/)
    },
  )

  const quoted = ({ evidence: [{ text, ref }] }: Task) => `“${text}” [${ref}]`
  const worse = 'The ferry carries 700 passengers [harbour.md::S1].'
  it.each<[string, (task: Task) => unknown, number, string[], number?]>([
    ['once, which is taken where it is borne out', written(quoted), 1, ['supported', 'supported']],
    [
      'and once more for its new reason where that is no better',
      written((paragraph) => (/700/.test(paragraph.text) ? quoted(paragraph) : worse)),
      2,
      ['supported', 'supported'],
    ],
    ['which stays as it is where neither is better', written(() => worse), 2, ['supported', 'unsupported']],
    ['once, which stays as it is where nothing changes', written(({ text }) => text), 1, ['supported', 'unsupported']],
    // An answer of no use is asked for once more.
    ['which stays as it is where the answer is of no use', () => 'no', 2, ['supported', 'unsupported']],
    [
      'once, which then shows how its number follows',
      written(() => 'The ferry carries 120 + 40 - 2 = 158 [harbour.md::S1, harbour.md::S2].'),
      1,
      ['supported', 'supported'],
      158,
    ],
  ])('is asked for a paragraph again that is not borne out, %s', async (_, repair, times, verdicts, number = 900) => {
    const said = `## Answer\n\n${supported}\n\nThe ferry carries ${number} [harbour.md::S1, harbour.md::S2].`
    await using run = await modelRun({ report: () => said, repair })
    const { shown, markdown } = await run.run()
    const asked = run.asked.filter(({ stage }) => stage === 'repair')
    expect(asked).toHaveLength(times)
    expect(asked[0]?.task.paragraphs).toHaveLength(1)
    expect(shown.report?.claims.map(({ verdict }) => verdict)).toEqual(verdicts)
    expect(markdown.includes('*(not borne out by its source)*')).toBe(verdicts.includes('unsupported'))
    expect(markdown).not.toContain('700')
  })

  const twisted = 'The ferry carries 120 passengers because the pilot boat must leave first [harbour.md::S1].'
  const refuse = judging((claim) => ({ supported: !/because/.test(claim), why: 'It gives no cause.' }))

  it('is judged by a model, each statement by its passage alone, where its words are all there', async () => {
    const said = `## Answer\n\n${supported}\n\n${twisted}`
    await using run = await modelRun({ report: () => said, judge: refuse })
    const { shown, markdown } = await run.run()
    const [first, ...more] = run.asked.filter(({ stage }) => stage === 'judge')
    expect(more).toEqual([])
    expect(first?.task.claims).toHaveLength(1)
    expect(first?.task.claims[0].claim).toContain('because')
    const { passages } = first?.task ?? {}
    expect(first?.task.claims[0].passages).toEqual(passages.map(({ id }: Task) => id))
    expect(passages[0].text).toContain('The pilot boat must leave first.')
    expect(JSON.stringify(passages)).not.toContain('crane')
    const verdicts = shown.report?.claims.map(({ verdict, why = '' }) => `${verdict} ${why}`)
    expect(verdicts).toEqual(['supported ', 'unsupported It gives no cause.'])
    expect(markdown).toContain('must leave first [1]. *(not borne out by its source)*')
    expect(markdown).toContain('Statements not supported by the cited source, each marked: 1.')
    expect(shown.report?.stages.judge).toEqual([MODEL])
  })

  it('has each row of a table judged with the names of its columns, and all else with what no other claim says of it', async () => {
    await using run = await modelRun({
      report: () =>
        '## Answer\n\n| Boat | Carries |\n| --- | --- |\n| Ferry | 120 people [harbour.md::S1] |\n\nIt is so [harbour.md::S1]. And cars? It may be [harbour.md::S1].',
    })
    await run.run()
    const asked = run.asked.find(({ stage }) => stage === 'judge')?.task.claims
    expect(asked.map(({ columns, before, after }: Task) => [columns, before, after])).toEqual([
      ['| Boat | Carries |', undefined, undefined],
      [undefined, undefined, 'And cars?'],
      [undefined, 'And cars?', undefined],
    ])
  })

  it('is written again alone where it is an item of a list', async () => {
    const list = `- ${supported}\n- The ferry carries 900 passengers [harbour.md::S1].`
    await using run = await modelRun({ report: () => `## Answer\n\n${list}` })
    await run.run()
    const { paragraphs } = run.asked.find(({ stage }) => stage === 'repair')?.task ?? {}
    expect(paragraphs.map(({ text }: Task) => text)).toEqual(['- The ferry carries 900 passengers [1].'])
    expect(paragraphs[0].evidence[0].under).toContain('harbour.md')
  })

  it('has a paragraph that the judge refuses written again, once, and judged again', async () => {
    const repair: Script['repair'] = ({ paragraphs: [{ id, problems }] }) => {
      expect(problems[0].why).toBe('It gives no cause.')
      return {
        paragraphs: [{ id, text: 'The ferry has 120 passengers; the pilot boat must leave first [harbour.md::S1].' }],
      }
    }
    const said = `## Answer\n\n${supported}\n\n${twisted}`
    await using run = await modelRun({ report: () => said, judge: refuse, repair })
    const { shown, markdown } = await run.run()
    const stages = run.asked.map(({ stage }) => stage).filter((stage) => /judge|repair/.test(stage))
    expect(stages).toEqual(['judge', 'repair', 'judge'])
    expect(shown.report?.claims.every(({ verdict }) => verdict === 'supported')).toBe(true)
    const [body, rewritten] = markdown.split('Rewritten after the check: 1. Before:\n\n')
    expect(body).not.toContain('because')
    expect(rewritten).toMatch(/^- The ferry [^\n]* because [^\n]*\. \(It gives no cause\.\)\n/)
  })

  it('has a paragraph that is refused again written again as it is now, for its new reason', async () => {
    const next: Readonly<Record<string, string>> = { 130: '120', 700: '800', 800: '120' }
    const bad = ['130', '700'].map((one) => `It carries ${one} people [harbour.md::S1].`)
    const half = `${supported} It carries 900 people [1].`
    await using run = await modelRun({
      report: () => `## Answer\n\n${bad.join('\n\n')}\n\n${half}`,
      repair: ({ paragraphs }) => ({
        paragraphs: paragraphs.map(({ id, text }: Task) => {
          return { id, text: /900/.test(text) ? '' : text.replace(/\d+(?= people)/, (one: string) => next[one]) }
        }),
      }),
    })
    const { markdown } = await run.run()
    // What is left out although a part of it holds stays as it was.
    const [, second] = run.asked.filter(({ stage }) => stage === 'repair').map(({ task }) => task.paragraphs)
    const why = expect.stringContaining('contains 800')
    expect(second).toMatchObject([{ text: 'It carries 800 people [1].', problems: [{ why }] }, { text: half }])
    expect(markdown.match(/It carries 120 people \[1\]/g)).toHaveLength(2)
  })

  it('has the sentences of the judge in the place of those that they are made of, whatever is marked before', async () => {
    const bad = ['first', 'second', 'third || last'].map((one) => `The ${one} ferry is always full [harbour.md::S1].`)
    const table = '| Boat | Is |\n| --- | --- |\n| **Ferry** | It is always full. [harbour.md::S1] |'
    const crane = 'The south crane is always full [harbour.md::S2].'
    await using run = await modelRun({
      report: () => `## Answer\n\n${supported}\n\n**It is so.** ${bad.join(' ')}\n\n${table}\n\n${crane}`,
      judge: judging((claim) => {
        const edit = /crane/.test(claim)
          ? 'The south crane was repaired in 2023'
          : claim.replace('is always full.', 'carries passengers').replace(/^Ferry.*/, '| $& |')
        return /full/.test(claim) ? { verdict: 'no', why: 'No.', edit } : { verdict: 'supported' }
      }),
    })
    const { markdown, shown } = await run.run()
    for (const one of ['**It is so.** The first', 'The second', 'The third || last'])
      expect(markdown).toContain(`${one} ferry carries passengers [1].`)
    expect(markdown).toContain('\n| **Ferry** | It carries passengers [1]. |')
    expect(run.asked.filter(({ stage }) => stage === 'repair')).toEqual([])
    expect(shown.report?.claims.every(({ verdict }) => verdict === 'supported')).toBe(true)
    const [body, corrections] = markdown.split('Corrected by the judge: 5. Before:\n\n')
    expect(body).not.toContain('full')
    expect(corrections?.split('\n').slice(0, 6)).toEqual([
      '- It is so. The first ferry is always full. (No.)',
      '- The second ferry is always full. (No.)',
      '- The third || last ferry is always full. (No.)',
      '- Ferry, It is always full. (No.)',
      '- The south crane is always full. (No.)',
      '',
    ])
  })

  it('has a sentence of the judge in a paragraph written again, though another calculates its number', async () => {
    const sum = 'Together it is 120 * 40 - 120 = 4680 [harbour.md::S1, harbour.md::S2].'
    await using run = await modelRun({
      report: () => `## Answer\n\n${sum}\n\nThe ferry is always full [harbour.md::S1].`,
      repair: written(() => 'The ferry is never full [harbour.md::S1].'),
      judge: judging((claim) => {
        const edit = /never/.test(claim) ? 'The ferry has a part of the 4680' : undefined
        return /full/.test(claim) ? { verdict: 'no', why: 'No.', edit } : { verdict: 'supported' }
      }),
    })
    const { shown, markdown } = await run.run()
    expect(markdown).toContain('The ferry has a part of the 4680 [1].')
    expect(shown.report?.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported'])
  })

  it.each([
    ['that holds', '120 * 40 - 120 - 40 = 4640', true],
    ['that does not', '120 * 40 - 120 - 40 = 4650', false],
    ['with a number that stands nowhere', '116 * 40 = 4640', false],
  ])('may have a number that follows in several steps, if the judge shows a calculation %s', async (_, sum, isHeld) => {
    const said = 'Together they come to 4640 [harbour.md::S1, harbour.md::S2].'
    await using run = await modelRun({
      report: () => `## Answer\n\n${supported}\n\n${said}`,
      judge: judging((claim, lacks) => ({
        verdict: 'supported',
        edit: lacks?.includes('contains 4640') ? claim.replace('4640', `4640 (${sum})`) : '',
      })),
    })
    const { shown, markdown } = await run.run()
    expect(shown.report?.claims.at(-1)?.verdict).toBe(isHeld ? 'supported' : 'unsupported')
    expect(markdown.includes('come to 4640 (120 * 40 - 120 - 40 = 4640) [')).toBe(isHeld)
    expect(markdown.includes('*(not borne out by its source)*')).toBe(!isHeld)
  })

  it.each(['no JSON', { verdicts: 'none' }, { verdicts: [{ id: '99', supported: false }] }])(
    'stays unchecked where the judge answers %j',
    async (answer) => {
      const said = `## Answer\n\n${supported}\n\n${twisted}`
      await using run = await modelRun({ report: () => said, judge: () => answer })
      const { shown } = await run.run()
      expect(shown.report?.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'unchecked'])
    },
  )

  it('asks for many statements at once, in few requests', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, at) => `The ferry, boat ${at === 0 ? 'one' : 'and'} carries passengers ${'so '.repeat(at)}[harbour.md::S1].`,
    )
    await using run = await modelRun({ report: () => `## Answer\n\n${supported}\n\n${lines.join('\n\n')}` })
    await run.run()
    const judged = run.asked.filter(({ stage }) => stage === 'judge').map(({ task }) => task.claims.length)
    expect(judged).toHaveLength(1)
    expect(judged.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20)
  })

  it('keeps what a digest says that is cut off, and says so', async () => {
    const items = [
      { kind: 'fact', text: 'The ferry carries 120 passengers.', sources: ['S1'] },
      { kind: 'fact', text: 'The north crane lifts 40 tonnes.', sources: ['S2'] },
    ]
    const cut = `{"items": [${items.map((item) => JSON.stringify(item)).join(', ')}, {"kind": "fact", "te`
    await using run = await modelRun({ digest: () => ({ cut }) })
    const { shown, markdown } = await run.run()
    expect(shown.report?.stages.digest).toEqual([MODEL])
    expect(shown.files[0]?.items_count).toBe(2)
    expect(markdown).toContain('The answer of the model was cut off. 2 items of it are kept')
  })

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

describe('a run', () => {
  it('leaves no timer of minutes behind', async () => {
    const [begun, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
    await runOf(engine, { ...OPTIONS, question: 'What is the sum of boats?' }, { 'a.csv': 'city,boats\nHull,2\n' })
    const long = begun.mock.calls.flatMap(([, ms = 0], at) => (ms > 60_000 ? [begun.mock.results[at]?.value] : []))
    const ended = cleared.mock.calls.map(([timer]) => timer)
    vi.restoreAllMocks()
    expect(long.length).toBeGreaterThan(1)
    expect(long.filter((timer) => !ended.includes(timer))).toEqual([])
  })
})
