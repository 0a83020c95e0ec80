import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClaimSource, whyUnsupported } from '../../src/research/report/claim-check.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { sentencesOf } from '../../src/text/sentences.ts'
import { bound, type Findings } from '../harness.ts'

/** A statement with what it cites, and whether that bears it out. */
interface LabelledClaim {
  readonly kind: string
  readonly text: string
  readonly source: ClaimSource
  readonly isTrue: boolean
}

/** Claims of each kind of mutation, and as many that are true. */
const EACH = 60

interface Said extends ClaimSource {
  readonly sentence: string
}

const ROOT = new URL('../../', import.meta.url).pathname

const FILES = ['test/quality/harbour/**/*.md', 'docs/**/*.md', 'README.md', 'CHANGELOG.md']

/** Public manuals that nothing about claims was tuned on: `questions/README.md`. */
const HELD_OUT = ['fastify', 'redis', 'prometheus', 'rust'].map((name) => `${name}/**/*.md`)

/** The sentences of Markdown documents, each with the span that it stands in. */
function sentencesInDocuments(root: string, patterns: readonly string[]): Said[] {
  return globSync(patterns, { cwd: root })
    .sort()
    .flatMap((path) => {
      const spans = spansOf({ text: readFileSync(join(root, path), 'utf8'), syntax: 'markdown' })
      return spans.flatMap(({ text, headings }) =>
        sentencesOf(text)
          .map((sentence) => sentence.text.replace(/\s+/g, ' ').replace(/^(?:[-*>]|\d+\.)\s+/, ''))
          .filter((sentence) => /^\p{Lu}[^|`[\]<>]{40,220}\.$/u.test(sentence))
          .map((sentence) => ({ sentence, text, context: [path, ...headings].join('\n') })),
      )
    })
}

/** A source that says so much more, where few sentences have a day or a quantity. */
function withPhrase({ sentence, text, context }: Said, phrase: string): Said {
  const longer = `${sentence.slice(0, -1)}${phrase}`
  return { sentence: longer, text: `${longer} ${text.replace(sentence, '')}`, context }
}

/** What a source says more, the same in another notation, and another amount, day or time in that notation. */
const NOTATIONS = [
  [', for 12.5 million euros.', ', for €12.5 million.', ', for €15.2 million.'],
  [', for $3,400,000 in all.', ', for 3.4 million dollars in all.', ', for 34 million dollars in all.'],
  [', since the third quarter of 2024.', ', since Q3 2024.', ', since Q1 2024.'],
  [', until 4:30 p.m. each day.', ', until 16:30 each day.', ', until 18:30 each day.'],
  [', for seventy-five people.', ', for 75 people.', ', for 57 people.'],
  [', since March 12th, 2021.', ', since 12 March 2021.', ', since 21 March 2021.'],
  [', with 10k users.', ', with ten thousand users.', ', with two thousand users.'],
  [', for 48,760 people.', ', for about 49,000 people.', ', for about 47,000 people.'],
] as const

/** By kind, what makes another sentence of one; undefined where it has nothing of that kind. */
const MUTATIONS: Readonly<Record<string, (said: Said, at: number, all: readonly Said[]) => Partial<Said> | undefined>> =
  {
    number: ({ sentence }, at) => {
      const numbers = [...sentence.matchAll(/(?<![\w.:/-])\d+(?:\.\d+)?(?![\w:/-])/g)]
      const one = numbers[at % Math.max(1, numbers.length)]
      if (!one || /\b(?:1[89]|20)\d\d\b/.test(one[0])) return undefined
      const other = String(Number(one[0]) + ([1, 3, 7, 10][at % 4] ?? 1))
      return { sentence: sentence.slice(0, one.index) + other + sentence.slice(one.index + one[0].length) }
    },
    date: (said, at) => {
      const { sentence, ...place } = withPhrase(
        said,
        [', since 12 March 2024.', ', since 2023-04-17.', ', as of May 2021.'][at % 3] ?? '',
      )
      const date =
        /\b(?:\d{4}-\d\d-\d\d|(?:1[89]|20)\d\d|January|February|March|April|June|July|August|September|October|November|December)\b/.exec(
          sentence,
        )
      if (!date) return undefined
      const shift = (at % 5) + 1
      const other = /^[A-Z]/.test(date[0])
        ? ['January', 'April', 'July', 'October', 'December', 'February'].find(
            (month) => month !== date[0] && !sentence.includes(month),
          )
        : date[0].replace(/^\d{4}/, (year) => String(Number(year) - shift))
      return { ...place, sentence: sentence.replace(date[0], other ?? '1801') }
    },
    name: ({ sentence }, at) => {
      const names = [...sentence.slice(1).matchAll(/(?<=[a-z,] )\p{Lu}[\p{L}]{3,}\b/gu)]
      const one = names[at % Math.max(1, names.length)]
      const other = ['Hamburg', 'Kowalski', 'Nextcloud', 'Bergen', 'Elasticsearch'][at % 5] ?? 'Bergen'
      return (
        one && {
          sentence: `${sentence.slice(0, one.index + 1)}${other}${sentence.slice(one.index + 1 + one[0].length)}`,
        }
      )
    },
    unit: (said, at) => {
      const { sentence, ...place } = withPhrase(
        said,
        [', within 30 seconds.', ', for 12 MB.', ', up to 5 hours.'][at % 3] ?? '',
      )
      const swaps = {
        seconds: 'minutes',
        minutes: 'hours',
        hours: 'days',
        days: 'weeks',
        MB: 'GB',
        GB: 'MB',
        ms: 's',
        KiB: 'MiB',
        MiB: 'GiB',
        percent: 'euros',
        metres: 'miles',
        '%': ' kg',
      }
      const found = Object.entries(swaps).find(([unit]) => new RegExp(`\\d[\\d.,]* ?${unit}(?![a-z])`).test(sentence))
      return (
        found && {
          ...place,
          sentence: sentence.replace(new RegExp(`(\\d[\\d.,]* ?)${found[0]}(?![a-z])`), `$1${found[1]}`),
        }
      )
    },
    notation: (said, at) => inNotation(said, at, 2),
    negation: ({ sentence }, at) => {
      const taken = sentence.replace(
        /\b(is|are|was|were|does|do|did|can|must|may|has|have|will|would|should) not\b|\b(can)not\b|\bnever /,
        (_, verb, other) => verb ?? other ?? '',
      )
      if (taken !== sentence) return { sentence: taken }
      const put =
        at % 2 === 0
          ? sentence.replace(/\b(is|are|was|were|can|must|may|will|should)\b(?! not)/, '$1 not')
          : sentence.replace(/\b(is|are|can|must|may|will|has|have)\b/, '$1 never')
      return put === sentence ? undefined : { sentence: put }
    },
    source: ({ sentence, text }, at, all) => {
      const other = all[(at * 37 + 101) % all.length]
      return other && other.text !== text && !other.text.includes(sentence)
        ? { text: other.text, context: other.context }
        : undefined
    },
  }

function inNotation(said: Said, at: number, which: 1 | 2): Partial<Said> {
  const phrases = NOTATIONS[at % NOTATIONS.length] ?? NOTATIONS[0]
  const { text, context } = withPhrase(said, phrases[0])
  return { sentence: `${said.sentence.slice(0, -1)}${phrases[which]}`, text, context }
}

/** What is said of a source and is true, in words that are not wholly its own. */
const TRUE_FORMS: Readonly<Record<string, (said: Said, at: number) => string | Partial<Said> | undefined>> = {
  verbatim: ({ sentence }) => sentence,
  'in another notation': (said, at) => inNotation(said, at, 1),
  'without a clause': ({ sentence }) => {
    const cut = sentence.replace(/, (?:which|and|but|so|because|as|while|where)\b[^,.]*\.$/, '.')
    return cut === sentence || cut.length < 30 ? undefined : cut
  },
  'clauses swapped': ({ sentence }) => {
    const [, first = '', second = ''] =
      /^((?:When|If|Where|Because|Once|After|Before)\b[^,.]*), ([^.]*)\.$/.exec(sentence) ?? []
    if (first === '') return undefined
    return `${second.charAt(0).toUpperCase()}${second.slice(1)} ${first.charAt(0).toLowerCase()}${first.slice(1)}.`
  },
  'two sentences in one': ({ sentence, text }) => {
    const all = sentencesOf(text).map((one) => one.text.replace(/\s+/g, ' '))
    const next = all[all.findIndex((one) => one.endsWith(sentence)) + 1]
    if (!next || !/^\p{Lu}[^|`[\]<>]{20,160}\.$/u.test(next)) return undefined
    return `${sentence.slice(0, -1)}, and ${next.charAt(0).toLowerCase()}${next.slice(1)}`
  },
  'with an introduction': ({ sentence }) =>
    `According to the documentation, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
}

/** The set: made by this script of documents, the same each time. Default: of those of this repository. */
export function labelledClaims(root = ROOT, patterns: readonly string[] = FILES): LabelledClaim[] {
  const all = sentencesInDocuments(root, patterns)
  const wrong = Object.entries(MUTATIONS).flatMap(([kind, mutate]) =>
    spread(all)
      .flatMap((said, at): LabelledClaim[] => {
        const changed = mutate(said, at, all)
        const { sentence, text, context } = { ...said, ...changed }
        return changed ? [{ kind, text: sentence, source: { text, context }, isTrue: false }] : []
      })
      .slice(0, EACH),
  )
  const forms = Object.entries(TRUE_FORMS)
  const right = forms.flatMap(([kind, say]) =>
    spread(all)
      .flatMap((said, at): LabelledClaim[] => {
        const changed = say(said, at)
        const { sentence, text, context } = {
          ...said,
          ...(typeof changed === 'string' ? { sentence: changed } : changed),
        }
        return changed ? [{ kind, text: sentence, source: { text, context }, isTrue: true }] : []
      })
      .slice(0, Math.ceil(wrong.length / forms.length)),
  )
  return [...wrong, ...right]
}

/** In an order that takes from all documents. */
function spread<One>(all: readonly One[]): One[] {
  return all
    .map((one, at) => ({ one, at: (at * 7919) % all.length }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

interface ClaimScores {
  readonly precision: number
  readonly recall: number
  readonly byKind: ReadonlyMap<string, { readonly right: number; readonly all: number }>
}

/** Of those that are marked how many are wrong, and of the wrong ones how many are marked. */
export function claimScores(claims: readonly LabelledClaim[]): ClaimScores {
  const judged = claims.map((claim) => ({
    ...claim,
    isMarked: whyUnsupported(claim.text, [claim.source]) !== undefined,
  }))
  const marked = judged.filter(({ isMarked }) => isMarked)
  const wrong = judged.filter(({ isTrue }) => !isTrue)
  const hits = marked.filter(({ isTrue }) => !isTrue).length
  const kinds = Map.groupBy(judged, ({ kind }) => kind)
  const byKind = [...kinds].map(([kind, some]) => {
    return [
      kind,
      { right: some.filter(({ isTrue, isMarked }) => isTrue !== isMarked).length, all: some.length },
    ] as const
  })
  return { precision: hits / Math.max(1, marked.length), recall: hits / wrong.length, byKind: new Map(byKind) }
}

/** @param dir the documents of `questions/README.md`; without them only the claims that the rules were tuned on are judged. */
export function claimFigures(dir?: string): Findings {
  const sets: (readonly [half: string, claims: LabelledClaim[]])[] = [['tuned on', labelledClaims()]]
  if (dir !== undefined) sets.push(['held out', labelledClaims(dir, HELD_OUT)])
  const findings = sets.map(([half, claims]) => figuresOf(half, claims))
  return {
    verdicts: findings.flatMap(({ verdicts }) => verdicts),
    tables: findings.flatMap(({ tables = [] }) => tables),
  }
}

function figuresOf(half: string, claims: readonly LabelledClaim[]): Findings {
  const { precision, recall, byKind } = claimScores(claims)
  const limits = { unit: 'score', limit: 0.95, atLeast: true } as const
  return {
    verdicts: [
      bound(`claims: precision of what is marked, ${half}`, precision, limits),
      bound(`claims: recall of what is wrong, ${half}`, recall, limits),
    ],
    tables: [
      {
        title: `Claims: judged rightly, by kind, ${half}`,
        note: `${claims.length} claims: mutations by a script, and true statements in other words; no model.`,
        columns: ['', 'right', 'of', 'share'],
        rows: [...byKind].map(([kind, { right, all }]) => [kind, String(right), String(all), (right / all).toFixed(3)]),
      },
    ],
  }
}
