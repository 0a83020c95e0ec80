/**
 * What models bring to the ranking where they know what they should: tasks in words that the code does not have, and models that
 * answer from a table. It measures how much of an answer reaches the ranking, not how good the answers of a real model are.
 */

import { fileURLToPath } from 'node:url'
import { openCodeIndex } from '../../src/code/code-index.ts'
import { type RankModels, rankForTask } from '../../src/code/rank.ts'
import { parseTask } from '../../src/code/task-query.ts'
import type { Table } from '../harness.ts'
import { recallAt } from './score.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const RANKS = [1, 5, 10]

interface ScriptedTask {
  readonly task: string
  /** The file that has to be read, below `src`. */
  readonly file: string
  /** What a language model guesses that has not seen the code. */
  readonly identifiers: readonly string[]
}

/** In German, about this project, with no name of it. */
const TASKS: readonly ScriptedTask[] = [
  {
    task: 'Bei knappem Platz wird mehr ausgegeben, als erlaubt ist',
    file: 'context/passes/budget/budget.ts',
    identifiers: ['tokenBudget', 'enforceBudget', 'truncateToBudget', 'maxTokens'],
  },
  {
    task: 'Eine Umleitung auf einen Rechner im eigenen Netz wird nicht verhindert',
    file: 'internet/fetch.ts',
    identifiers: ['followRedirect', 'isPrivateAddress', 'redirectGuard', 'ssrf'],
  },
  {
    task: 'Ein Verweis kann aus dem erlaubten Verzeichnis herausführen',
    file: 'files/confine.ts',
    identifiers: ['resolveSymlink', 'isInsideRoot', 'realpath', 'pathTraversal'],
  },
  {
    task: 'Sonderzeichen in den Werten der Auszeichnung werden nicht maskiert',
    file: 'text/xml.ts',
    identifiers: ['escapeXml', 'escapeAttribute', 'encodeEntities'],
  },
  {
    task: 'Ausnahmen von ausgeschlossenen Dateien wirken nicht',
    file: 'text/gitignore.ts',
    identifiers: ['gitignore', 'negatedPattern', 'ignoreRules', 'isIgnored'],
  },
  {
    task: 'Nach einer Absage wegen Überlast wird zu früh noch einmal gefragt',
    file: 'models/service/attempts.ts',
    identifiers: ['retryAfter', 'backoff', 'rateLimit', 'tooManyRequests'],
  },
  {
    task: 'Verkleinerte Zahlenreihen liegen zu weit auseinander',
    file: 'retrieval/packed-vectors.ts',
    identifiers: ['quantizeVector', 'vectorDistance', 'cosineSimilarity', 'packedVectors'],
  },
  {
    task: 'Unsichtbare Schriftzeichen bleiben stehen',
    file: 'text/invisible.ts',
    identifiers: ['zeroWidth', 'stripInvisible', 'unicodeControl', 'sanitize'],
  },
  {
    task: 'Gemeinsam geänderte Quellen werden falsch gewichtet',
    file: 'code/commit-history.ts',
    identifiers: ['coChange', 'commitHistory', 'changedTogether', 'gitLog'],
  },
  {
    task: 'Zugangsdaten werden in die Suche aufgenommen',
    file: 'text/secrets.ts',
    identifiers: ['secretScanner', 'isSecret', 'credentials', 'redact'],
  },
  {
    task: 'Die Zusammenfassung eines langen Gesprächs fehlt',
    file: 'agent/loop/compaction.ts',
    identifiers: ['summarizeConversation', 'compaction', 'conversationSummary'],
  },
  {
    task: 'Vorspann mit Angaben am Anfang wird nicht gelesen',
    file: 'text/metadata.ts',
    identifiers: ['frontMatter', 'parseFrontmatter', 'yamlHeader'],
  },
]

/** One direction for each task, and one for all else: the table of a model that knows which code is meant. */
function tableModels({ file, task }: ScriptedTask): Record<'embedder' | 'judge', RankModels> {
  const near = (text: string) => Number(text.startsWith(`${file} `) || text.startsWith(`${file}\n`) || text === task)
  const vectorOf = (text: string) => Float32Array.from([near(text), 1 - near(text), 0.1])
  return {
    embedder: {
      embedder: {
        documents: async (texts) => texts.map(vectorOf),
        query: async (text) => vectorOf(text),
      },
    },
    judge: { judge: { rank: async (_, texts) => texts.map(near) } },
  }
}

export async function scriptedModels(): Promise<Table> {
  const index = await openCodeIndex(SOURCE, { cacheFile: undefined })
  const rows = new Map<string, number[][]>()
  for (const scripted of TASKS) {
    const { task, file, identifiers } = scripted
    const { embedder, judge } = tableModels(scripted)
    const recallOf = async (names: readonly string[], models: RankModels) => {
      const { files } = await rankForTask(index, parseTask(task, names), { models })
      const paths = files.map((ranked) => ranked.file.path)
      return RANKS.map((most) => recallAt(paths, new Set([file]), most))
    }
    const recalls = {
      'words alone': await recallOf([], {}),
      'with vectors': await recallOf([], embedder),
      'rewritten into identifiers': await recallOf(identifiers, {}),
      'rewritten, then reranked': await recallOf(identifiers, judge),
      'rewritten, with vectors, reranked': await recallOf(identifiers, { ...embedder, ...judge }),
    }
    for (const [name, recall] of Object.entries(recalls)) rows.set(name, [...(rows.get(name) ?? []), recall])
  }
  return {
    title: `Models that answer from a table: ${TASKS.length} tasks in German about this project`,
    note: 'Recall of the file that is meant. It shows how much of an answer reaches the ranking, not how good real models are.',
    columns: ['ranked by', ...RANKS.map((most) => `@${most}`)],
    rows: [...rows].map(([name, recalls]) => [
      name,
      ...RANKS.map((_, at) => (recalls.reduce((sum, recall) => sum + (recall[at] ?? 0), 0) / TASKS.length).toFixed(3)),
    ]),
  }
}
