import { resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { narrationOf, type RunEvent } from '../../research/events.ts'
import type { Research } from '../../research/research.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { neutralise, serializeVisibly } from '../../text/invisible.ts'
import type { TalkCommandParts } from './ask.ts'
import { type Flags, withEngine } from './command.ts'
import { spinnerFrame } from './progress.ts'
import { researchBatch } from './research/batch.ts'
import { INTERRUPTED, type Streams, streamsOf } from './streams.ts'
import { cutLine, styleOf } from './table.ts'
import { writeUserFile } from './user-files.ts'

type ResearchCommandParts = Omit<TalkCommandParts, 'operations'>

/**
 * Researches a question, or a batch of questions, and writes the report to a file. The path of the file goes to stdout,
 * everything else to stderr. Returns the exit code.
 */
export async function research(
  { out, batch, question = '', ...request }: ServiceInput<'research'>,
  flags: Flags,
  { plain, open, streams = streamsOf(plain) }: ResearchCommandParts,
): Promise<number> {
  if ((question === '') === (batch === undefined)) {
    const message = batch === undefined ? 'The question is missing.' : '--batch has the questions: leave out QUESTION.'
    throw new UsageError(message, 'See "ambit research --help".')
  }
  return withEngine(open, flags, async (engine) => {
    const sessions = await engine.research()
    if (batch !== undefined) return researchBatch(sessions, request, { batch, out, streams })
    const { session_id } = await sessions.createWithFiles({ ...request, question })
    return runToReport(sessions, session_id, { out, json: flags.json, streams })
  })
}

export async function resumeResearch(
  { session, out }: ServiceInput<'research.resume'>,
  flags: Flags,
  { plain, open, streams = streamsOf(plain) }: ResearchCommandParts,
): Promise<number> {
  return withEngine(open, flags, async (engine) => {
    const sessions = await engine.research()
    const { session_id } = await sessions.show(session)
    return runToReport(sessions, session_id, { out, json: flags.json, streams })
  })
}

interface ReportOutput {
  readonly out: string | undefined
  readonly json: boolean
  readonly streams: Streams
}

async function runToReport(sessions: Research, id: string, { out, json, streams }: ReportOutput): Promise<number> {
  const view = new ResearchView(streams, json)
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort('pause'))
  const running = sessions.run(id, { signal: controller.signal, emit: view.emit })
  const { status, nodes, failure } = await running.finally(() => view.end())
  if (status === 'planned') {
    if (json) return 0
    const questions = nodes.filter(({ parent }) => parent === '1').map((node) => `${node.id} ${node.question}\n`)
    streams.out.write(questions.join(''))
    streams.err.write(`This is the plan. Change it: ambit research plan ${id}; run it: ambit research resume ${id}\n`)
    return 0
  }
  if (status !== 'completed' && status !== 'stopped') {
    const advice = status === 'quarantined' ? failure?.message : `Continue with it: ambit research resume ${id}`
    if (!json) streams.err.write(`The session is ${status}. ${advice}\n`)
    return controller.signal.aborted ? INTERRUPTED : 1
  }
  const fileName = out ?? `research-${id.slice(0, 8)}.md`
  const path = resolve(fileName)
  const { markdown } = await sessions.report(id)
  await writeUserFile(path, neutralise(markdown).text)
  streams.out.write(json ? `${serializeVisibly({ type: 'report', path })}\n` : `${fileName}\n`)
  return 0
}

/** Milliseconds between two drawings. */
const REDRAW_MS = 80

interface ShownNode {
  readonly id: string
  readonly question: string
  status: string
  items: number
  evidence: string
}

/** Shows a run: on a terminal as a tree of questions, elsewhere as a sentence for each event, with `--json` as events. */
export class ResearchView {
  readonly #streams: Streams
  readonly #json: boolean
  readonly #nodes = new Map<string, ShownNode>()
  #narration = ''
  #fileProgress = ''
  #drawnLines = 0
  #drawnAt = 0
  #hasEnded = false
  readonly #spinnerTimer: NodeJS.Timeout

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams
    this.#json = json
    // The spinner shows that a run continues while it waits for a model.
    this.#spinnerTimer = setInterval(() => this.#redraw(), REDRAW_MS * 2).unref()
  }

  readonly emit = (event: RunEvent): void => {
    const { out, err } = this.#streams
    if (this.#json) out.write(`${serializeVisibly(event)}\n`)
    else if (err.isTerminal) this.#follow(event)
    else err.write(`${oneLine(narrationOf(event))}\n`)
  }

  /** Ends the view, and leaves its last drawing on the terminal. */
  end(): void {
    clearInterval(this.#spinnerTimer)
    this.#hasEnded = true
    this.#redraw()
  }

  #redraw(): void {
    if (this.#drawnLines > 0) this.#draw()
  }

  #follow(event: RunEvent): void {
    this.#narration = oneLine(narrationOf(event))
    const { node_id: id, type } = event
    if (type === 'context_binding_parsing_file_completed') this.#fileProgress = `${event.index} of ${event.total} files`
    if (type === 'node_started' && id !== undefined) this.#findOrAddNode(id, String(event.question)).status = 'running'
    if (type === 'node_decomposed' && Array.isArray(event.children)) {
      for (const child of event.children) this.#findOrAddNode(String(child.id), String(child.question))
    }
    const node = id === undefined ? undefined : this.#nodes.get(id)
    if (node && type === 'context_for_node_ready') node.items = Number(event.selected_items_count)
    if (node && type === 'node_completed') {
      node.status = String(event.status)
      node.evidence = Array.isArray(event.evidence) ? event.evidence.join(', ') : ''
    }
    const now = performance.now()
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    this.#draw()
  }

  #findOrAddNode(id: string, question: string): ShownNode {
    const node = this.#nodes.get(id) ?? { id, question, status: 'pending', items: 0, evidence: '' }
    this.#nodes.set(id, node)
    return node
  }

  #draw(): void {
    const { err } = this.#streams
    const { dim, cyan, width } = styleOf(err.display)
    const nodes = [...this.#nodes.values()].sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
    const done = nodes.filter(({ status }) => ENDED_STATES.includes(status)).length
    const bar = '█'.repeat(Math.round((done / (nodes.length || 1)) * 20)).padEnd(20, '░')
    const lines = [
      ...nodes.map((node) => cutLine(nodeLine(node), width - 1)),
      `${cyan(bar)} ${done} of ${nodes.length} questions${this.#fileProgress === '' ? '' : `, ${this.#fileProgress}`}`,
      dim(cutLine(this.#hasEnded ? this.#narration : `${spinnerFrame()} ${this.#narration}`, width - 1)),
    ]
    const cursorUp = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A` : ''
    err.draw(`${cursorUp}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`)
    this.#drawnLines = lines.length
  }
}

const STATE_MARKS: Readonly<Record<string, string>> = {
  pending: '·',
  running: '…',
  answered: '✓',
  partial: '~',
  unresolved: '✗',
}

const ENDED_STATES = ['answered', 'partial', 'unresolved']

function nodeLine({ id, question, status, items, evidence }: ShownNode): string {
  const indent = '  '.repeat(id.split('.').length - 1)
  const details = [items > 0 ? countNoun(items, 'item') : '', evidence].filter((part) => part !== '').join('; ')
  return `${indent}${STATE_MARKS[status] ?? '·'} ${id} ${oneLine(question)}${details === '' ? '' : ` (${details})`}`
}
