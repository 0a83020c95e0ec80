/** Researches many questions. */

import { resolve } from 'node:path'
import { ContextError, invalidInput, tryToRead } from '../../../core/errors.ts'
import { removeCacheFile } from '../../../files/cache-file.ts'
import { ignoreMissing } from '../../../files/objects.ts'
import type { Research } from '../../../research/research.ts'
import { oneLine } from '../../../text/controls.ts'
import { neutralise } from '../../../text/invisible.ts'
import { INTERRUPTED, type Streams } from '../streams.ts'
import { readUserFile, writeUserFile } from '../user-files.ts'

export interface Batch {
  /** The file of questions. */
  readonly batch: string
  readonly out: string | undefined
  readonly streams: Streams
}

type BatchRequest = Omit<Parameters<Research['createWithFiles']>[0], 'question'>

interface Query {
  readonly id: string | number
  readonly prompt: string
}

interface Article extends Query {
  readonly article: string
}

/**
 * Writes an article for each question. Skips questions whose article is already in the output file. A failed question is
 * reported, and the others continue. A call after an interruption resumes the unfinished run. Returns the exit code.
 */
export async function researchBatch(
  sessions: Research,
  request: BatchRequest,
  { batch, out = 'articles.jsonl', streams }: Batch,
): Promise<number> {
  const path = resolve(out)
  const sessionsFile = `${path}.begun`
  const queries = queriesIn(await readQuestions(batch))
  const earlierArticles = articlesIn((await readOptionalFile(path)) ?? '')
  const sessionById = new Map(Object.entries(parseObject((await readOptionalFile(sessionsFile)) ?? '')))
  const articles = new Map(queries.flatMap((query) => knownArticle(earlierArticles, query)))
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort('pause'))
  for (const { id, prompt } of queries) {
    if (articles.has(id)) continue
    try {
      const newSession = { ...request, plan: false, question: prompt }
      const session = await sessionFor(sessions, newSession, sessionById.get(`${id}`))
      sessionById.set(`${id}`, session)
      await writeUserFile(sessionsFile, JSON.stringify(Object.fromEntries(sessionById)))
      articles.set(id, { id, prompt, article: await articleOf(sessions, session, controller.signal) })
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      if (controller.signal.aborted) break
      streams.err.write(`${oneLine(String(id))}: ${oneLine([error.message, error.hint ?? ''].join(' ').trim())}\n`)
    }
    const lines = queries.flatMap((query) => articles.get(query.id) ?? [])
    await writeUserFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  if (controller.signal.aborted) {
    streams.err.write(
      `${articles.size} of ${queries.length} articles are written. Run the command again to continue.\n`,
    )
    return INTERRUPTED
  }
  streams.out.write(`${out}\n`)
  if (articles.size < queries.length) return 1
  removeCacheFile(sessionsFile)
  return 0
}

function knownArticle(earlierArticles: ReadonlyMap<string, Article>, { id, prompt }: Query): [Query['id'], Article][] {
  const article = earlierArticles.get(`${id}`)
  return article?.prompt === prompt ? [[id, article]] : []
}

/** The id of the session that an earlier call began for the same question; else of a new session. */
async function sessionFor(
  sessions: Research,
  request: BatchRequest & { readonly question: string },
  earlierId: unknown,
): Promise<string> {
  if (typeof earlierId === 'string') {
    const earlier = await sessions.show(earlierId, false).catch(() => undefined)
    if (earlier?.question === request.question.trim()) return earlierId
  }
  return (await sessions.createWithFiles(request)).session_id
}

/** The report of a session. Runs the session first, if necessary. @throws ContextError if there is no report. */
async function articleOf(sessions: Research, session: string, signal: AbortSignal): Promise<string> {
  const { status } = await sessions.show(session, false)
  if (status !== 'completed' && status !== 'stopped') await sessions.run(session, { signal })
  return neutralise((await sessions.report(session)).markdown).text
}

/** The questions of the file. @throws ContextError `invalid-input` for an invalid line or a duplicate id. */
function queriesIn(text: string): Query[] {
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at }]))
  const ids = new Set<string>()
  return lines.map(({ line, at }) => {
    const { id, prompt } = parseObject(line)
    const hint = 'Each line is an object: { "id": "1", "prompt": "What does it cost?" }.'
    const where = `Line ${at + 1} of the batch`
    if (!isId(id) || typeof prompt !== 'string') throw invalidInput(`${where} is not a question.`, hint)
    if (ids.size === ids.add(`${id}`).size)
      throw invalidInput(`${where} has the id ${id} again.`, 'Give each question an id of its own.')
    return { id, prompt }
  })
}

function isId(id: unknown): id is Query['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

/** The articles of the output file, by id. Invalid lines are ignored: the last line may be cut off. */
function articlesIn(text: string): Map<string, Article> {
  const articles = text.split('\n').flatMap((line): (readonly [string, Article])[] => {
    const { id, prompt, article } = parseObject(line)
    const isArticle = isId(id) && typeof prompt === 'string' && typeof article === 'string'
    return isArticle ? [[`${id}`, { id, prompt, article }]] : []
  })
  return new Map(articles)
}

/** The object in a JSON text; an empty object if the text is not JSON. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  return Object(tryToRead(() => JSON.parse(text)))
}

async function readQuestions(batch: string): Promise<string> {
  const text = await readOptionalFile(batch)
  if (text !== undefined) return text
  const hint = 'Give a JSONL file with a question for each line: {"id": "1", "prompt": "…"}.'
  throw new ContextError('not-found', `There is no file ${batch}.`, { hint })
}

/** The text of a file; undefined if the file is missing. */
async function readOptionalFile(path: string): Promise<string | undefined> {
  const bytes = await ignoreMissing(readUserFile(path, MAX_BATCH_BYTES))
  return bytes && new TextDecoder().decode(bytes)
}

/** Maximum bytes of a file of questions or articles. */
const MAX_BATCH_BYTES = 256 * 1024 * 1024
