/** The tools of a model that explores a question: it finds and reads passages, calculates, and notes its findings. */

import { type AgentTool, defineTool, requireText, type ToolDefinition, toolInput } from '../../agent/tool.ts'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { sufficiencyIn } from '../model/read.ts'
import { nearestParagraphs, rankNearest } from '../routing/route.ts'
import { type EvidenceItem, NOTE_BASES, type Sufficiency } from '../run/evidence.ts'
import { aliasOf } from '../run/slices.ts'
import type { ExploreTask } from '../run/stages.ts'
import type { Notebook, Referent } from './notebook.ts'
import { queryTables } from './tables.ts'

/** Maximum matches of one search; maximum characters of a new match, of a known match, and of one reading. */
const MAX_MATCHES = 12
const MAX_NEW_LENGTH = 4000
const MAX_KNOWN_LENGTH = 200
const MAX_READ_LENGTH = 12_000

/** Maximum characters of the passage nearest to the absent words. A judge may deny the absence because of it. */
const MAX_NEAR_LENGTH = 300

interface ToolParts {
  readonly task: ExploreTask
  readonly notebook: Notebook
  /** Receives the verdict when the model is done. */
  finish(sufficiency: Sufficiency): void
}

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const

export function exploreTools(parts: ToolParts): AgentTool[] {
  const { notebook, task } = parts
  const tools: ToolDefinition[] = [
    {
      name: 'find',
      description: `Find items and passages by words${task.search ? ', and search the collections and the web with them' : ''}. Gives their ids and texts, the best first.`,
      properties: { words: TEXT },
      run: async (inputs) => {
        const words = requireText(inputs, 'words')
        const fresh = notebook.addPassages((await task.search?.(words)) ?? [])
        const { unread } = notebook
        const unreadLines = unread.length > 0 ? `\n\nFound, and not read:\n${unread.join('\n')}` : ''
        return `${findText(notebook.referents, fresh, words)}${unreadLines}`
      },
    },
    {
      name: 'read',
      description: 'Read one thing by its id: an item with its words and the items beside it, or a passage as a whole.',
      properties: { id: TEXT },
      run: async (inputs) => readText(notebook, requireText(inputs, 'id')),
    },
    {
      name: 'absent',
      description:
        'Search all files and passages, or only those named in "within" (files by name, passages by id), for words, to say that something does not stand there. Gives an id A… for those that are found nowhere, and where the others stand.',
      properties: { words: TEXTS, within: TEXTS },
      optional: ['within'],
      run: ({ words, within }) =>
        absentText(parts, requireTexts(words), within === undefined ? undefined : requireTexts(within)),
    },
    {
      name: 'compute',
      description:
        'Calculate with numbers of items and passages: + - * / ( ) and %, as in 90 * (1 - 15%), or with days: 2027-04-30 - 2026-11-29, 2026-11-30 + 18 months - 2 weeks. "refs": the ids of what has the numbers; "title": a few words on the result, for readers of the report. Gives an id C….',
      properties: { expression: TEXT, title: TEXT, refs: TEXTS },
      optional: ['title'],
      run: async (inputs) => {
        const calculation = { expression: requireText(inputs, 'expression'), title: String(inputs.title ?? '').trim() }
        const { id, sum } = notebook.compute(calculation, requireTexts(inputs.refs))
        return `${id}: ${sum}`
      },
    },
    ...sqlTools(parts),
    noteTool(notebook),
  ]
  return inSequence(notebook, [...tools.map(defineTool), finishTool(parts)])
}

/** Tools that run in parallel. First letters of the ids that results get, by tool. */
const PARALLEL_TOOLS = ['find', 'read']
const ID_LETTERS: Readonly<Record<string, 'A' | 'C'>> = { absent: 'A', compute: 'C', sql: 'C' }

/** Runs calls in their order, except `PARALLEL_TOOLS`, so that a note may name the result of a call before it. */
function inSequence(notebook: Notebook, tools: readonly AgentTool[]): AgentTool[] {
  let queue: Promise<unknown> = Promise.resolve()
  return tools.map((tool) => {
    if (PARALLEL_TOOLS.includes(tool.name)) return tool
    const letter = ID_LETTERS[tool.name]
    const run: AgentTool['run'] = (...call) => {
      const running = queue.then(() => {
        throwIfAborted(call[1])
        if (letter) notebook.takeId(letter)
        return tool.run(...call)
      })
      queue = running.catch(() => {})
      return running
    }
    return { ...tool, run }
  })
}

/** Columns of a table in the description of the tool. */
const MAX_COLUMNS = 60

/** The tool for SQL; none if no file has a table. */
function sqlTools({ task, notebook }: ToolParts): ToolDefinition[] {
  const { tables } = task.sources
  if (tables.length === 0) return []
  const named = tables.map(({ name, columns }) => `${name}(${columns.slice(0, MAX_COLUMNS).join(', ')})`)
  return [
    {
      name: 'sql',
      description: `Run one SELECT of SQLite over the tables of the files, to count, add up, sort or compare rows: ${named.join('; ')}. "title": as of compute. Gives an id C….`,
      properties: { query: TEXT, title: TEXT },
      optional: ['title'],
      run: async (inputs, signal) => {
        const sql = requireText(inputs, 'query')
        const answer = await queryTables({ tables, sql }, signal)
        const { id, given } = notebook.addQuery({ sql, title: String(inputs.title ?? '').trim(), tables }, answer)
        return `${id}:\n${given}${answer.isCut ? '\n[There are more rows.]' : ''}`
      },
    },
  ]
}

function noteTool(notebook: Notebook): ToolDefinition {
  const properties = { text: TEXT, basis: { type: 'string', enum: NOTE_BASES } as const, refs: TEXTS }
  const note = toolInput(properties, Object.keys(properties))
  return {
    name: 'note',
    description:
      'Note findings: each one statement, with the ids of all that it rests on. "computed" needs a C…, "absent" an A….',
    properties: { notes: { type: 'array', items: note } },
    run: async ({ notes }) => {
      const results = [notes].flat().map((one) => noteResult(notebook, one))
      const refusals = results.flatMap((why, at) => (why === undefined ? [] : [`${at + 1}. ${why}`]))
      notebook.hasRefusedNotes = refusals.length > 0
      if (!notebook.hasRefusedNotes) return `Noted: ${results.length}.`
      throw new ContextError('invalid-input', refusals.join('\n'), { hint: 'The others are kept. Mend these.' })
    },
  }
}

/** Adds a note. Returns why it was refused; undefined if it is kept. */
export function noteResult(notebook: Notebook, note: unknown): string | undefined {
  try {
    notebook.addNote(Object(note))
    return undefined
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return error.message
  }
}

/** The tool that ends the work with a verdict. Ignores inputs that it does not have, because a refusal could lose the verdict. */
function finishTool({ finish, notebook }: ToolParts): AgentTool {
  const properties = { is_sufficient: { type: 'boolean' } as const, reasoning: TEXT, gaps: TEXTS }
  return {
    name: 'finish',
    description: 'Say that the work on the question is done, and whether the notes answer all of it.',
    input: toolInput(properties, Object.keys(properties)),
    effect: 'read',
    run: async (input) => {
      const { is_sufficient, reasoning, gaps } = Object(input)
      const judged = sufficiencyIn({ is_sufficient, reasoning: reasoning ?? 'It was not explained.', gaps: gaps ?? [] })
      if (!judged) throw new ContextError('invalid-input', 'is_sufficient must be true or false, gaps a list of texts.')
      const isEarly = notebook.hasRefusedNotes
      notebook.hasRefusedNotes = false
      if (isEarly) throw new ContextError('invalid-input', 'Notes were refused: mend them or leave them, then finish.')
      finish(judged)
      return 'Done.'
    },
  }
}

/** The matches of a search. Fresh results come first, because a search engine may find pages without the words. */
function findText(referents: readonly Referent[], fresh: readonly Referent[], words: string): string {
  const ranked = rankNearest(referents, ({ title, text }) => `${title}\n${text}`, words)
  const matches = [...new Set([...fresh, ...ranked])].slice(0, Math.max(MAX_MATCHES, fresh.length))
  if (matches.length === 0) return 'Nothing holds these words. Try others, or call absent.'
  // The model has seen the whole text of short passages. It has not seen the quotations of items.
  const isRepeated = (one: Referent) =>
    !fresh.includes(one) && !one.id.startsWith('F') && one.text.length <= MAX_NEW_LENGTH
  const shown = matches.flatMap((one) => {
    if (isRepeated(one)) return []
    if (fresh.includes(one)) return [`${one.id} (${one.title}), new: ${excerptOf(one, words)}`]
    return [`${one.id} (${one.title}): ${nearestParagraphs(one.text, [words], MAX_KNOWN_LENGTH)}`]
  })
  const repeated = matches.filter(isRepeated).map(({ id }) => id)
  if (repeated.length > 0) shown.push(`Their texts were shown before: ${repeated.join(', ')}.`)
  return shown.join('\n\n')
}

/** The text of a passage; of a long passage, the paragraphs nearest to the text `near`. */
export function excerptOf({ id, text }: Referent, near: string): string {
  if (text.length <= MAX_NEW_LENGTH) return text
  return `${nearestParagraphs(text, [near], MAX_NEW_LENGTH)}\n[cut; read ${id} for the whole]`
}

function readText(notebook: Notebook, id: string): string {
  const { title, text } = notebook.referent(id)
  if (!id.trim().startsWith('F')) return `${title}\n\n${text.slice(0, MAX_READ_LENGTH).toWellFormed()}`
  const items = notebook.referents.filter((one) => one.id.startsWith('F'))
  const at = items.findIndex((one) => one.id === id.trim())
  const neighbours = items.slice(Math.max(0, at - 2), at + 3)
  return neighbours.map((one) => `${one.id} (${one.title}): ${one.text}`).join('\n')
}

async function absentText({ task, notebook }: ToolParts, words: readonly string[], within?: readonly string[]) {
  const { sources, assess } = task
  const named = notebook.lookedUp.filter(({ id }) => !within || within.includes(id))
  const passages = named.map(({ refs: [ref = ''], kind, title, text }) => ({ ref, kind, title, text }))
  const files = within?.filter((name) => !named.some(({ id }) => id === name))
  const occurrences = sources.findWords(words, passages, files)
  const places = occurrences.map(({ word, ref, around }) => `“${word}” stands in ${ref}: “${around}”`)
  const absent = words.filter((word) => !occurrences.some((one) => one.word === word))
  if (absent.length === 0) return `It is not absent: ${places.join('; ')}.`
  const searched = sources.describeSearched(files, passages)
  const titles = [...new Set(passages.map(({ title }) => title))].join('; ')
  const pages = titles === '' ? [] : [`These were searched: ${titles}.`]
  const title = `Searched for ${absent.map((word) => `“${word}”`).join(', ')} in ${searched}: not found`
  const none = absent.length > 1 ? 'None of them stands there.' : 'It does not stand there.'
  const nearest = (await assess(absent.join(' '), passages)).flatMap(({ findings }) => findings)
  const isSearched = ({ kind, ref }: EvidenceItem) => kind !== 'context' || !files || files.includes(aliasOf(ref))
  const nearLines = nearest
    .filter(isSearched)
    .slice(0, 1)
    .map(({ ref, text }) => `Near to it in ${ref}: “${beginningOf(text)}”`)
  const text = [none, ...pages, ...places, ...nearLines].join('\n')
  return `${notebook.addAbsence(title, text, passages[0]?.kind).id}: ${title}\n${text}`
}

function beginningOf(text: string): string {
  return text.length <= MAX_NEAR_LENGTH ? text : `${text.slice(0, MAX_NEAR_LENGTH).toWellFormed()} …`
}

function requireTexts(value: unknown): string[] {
  const texts = [value].flat().filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  if (texts.length > 0) return texts.slice(0, 20)
  throw new ContextError('invalid-input', 'A list of texts is needed.')
}
