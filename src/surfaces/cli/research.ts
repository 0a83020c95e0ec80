import { resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { ServiceInput } from '../../operations/index.ts'
import type { Research } from '../../research/research.ts'
import { neutralise, serializeVisibly } from '../../text/invisible.ts'
import type { TalkCommandParts } from './ask.ts'
import { type Flags, withEngine } from './command.ts'
import { researchBatch } from './research/batch.ts'
import { ResearchView } from './research/view.ts'
import { INTERRUPTED, type Streams, streamsOf } from './streams.ts'
import { writeUserFile } from './user-files.ts'

type ResearchCommandParts = Omit<TalkCommandParts, 'operations'>

/** Researches a question to its report. The path of the report goes to stdout, everything else to stderr. */
export async function research(
  { out, batch, question = '', ...request }: ServiceInput<'research'>,
  flags: Flags,
  { plain, open }: ResearchCommandParts,
): Promise<number> {
  if ((question === '') === (batch === undefined)) {
    const message = batch === undefined ? 'The question is missing.' : '--batch has the questions: give no other.'
    throw new UsageError(message, 'See "ambit research --help".')
  }
  return withEngine(open, flags, async (engine) => {
    const all = await engine.research()
    if (batch !== undefined) return researchBatch(all, request, { batch, out, streams: streamsOf(plain) })
    const { session_id } = await all.prepared({ ...request, question })
    return runToReport(all, session_id, { out, json: flags.json, streams: streamsOf(plain) })
  })
}

/** Resumes a session. */
export async function resumeResearch(
  { session, out }: ServiceInput<'research.resume'>,
  flags: Flags,
  { plain, open }: ResearchCommandParts,
): Promise<number> {
  return withEngine(open, flags, async (engine) => {
    const all = await engine.research()
    const { session_id } = await all.show(session)
    return runToReport(all, session_id, { out, json: flags.json, streams: streamsOf(plain) })
  })
}

interface Running {
  readonly out: string | undefined
  readonly json: boolean
  readonly streams: Streams
}

async function runToReport(all: Research, id: string, { out, json, streams }: Running): Promise<number> {
  const view = new ResearchView(streams, json)
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort('pause'))
  await all.run(id, { signal: controller.signal, emit: view.emit }).finally(() => view.end())
  const { status, nodes, failure } = await all.show(id)
  if (status === 'planned') return printPlan(id, nodes, { json, streams })
  if (status !== 'completed' && status !== 'stopped') {
    const next = status === 'quarantined' ? failure?.message : `Continue with it: ambit research resume ${id}`
    if (!json) streams.err.write(`It is ${status}. ${next}\n`)
    return controller.signal.aborted ? INTERRUPTED : 1
  }
  const named = out ?? `research-${id.slice(0, 8)}.md`
  const path = resolve(named)
  const { markdown } = await all.report(id)
  await writeUserFile(path, neutralise(markdown).text)
  streams.out.write(json ? `${serializeVisibly({ type: 'report', path })}\n` : `${named}\n`)
  return 0
}

type Nodes = Awaited<ReturnType<Research['show']>>['nodes']

function printPlan(id: string, nodes: Nodes, { json, streams }: Pick<Running, 'json' | 'streams'>): number {
  if (json) return 0
  const questions = nodes.filter(({ parent }) => parent === '1').map((node) => `${node.id} ${node.question}\n`)
  streams.out.write(questions.join(''))
  streams.err.write(`This is the plan. Continue with it: ambit research resume ${id}\n`)
  return 0
}
