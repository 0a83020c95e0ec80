import { narrationOf, type RunEvent } from '../../../research/events.ts'
import { oneLine } from '../../../text/controls.ts'
import { countNoun } from '../../../text/counts.ts'
import { serializeVisibly } from '../../../text/invisible.ts'
import { spinnerFrame } from '../progress.ts'
import type { Streams } from '../streams.ts'
import { styleOf } from '../table.ts'

/** Milliseconds between two drawings. */
const PAUSE_MS = 80

interface Node {
  readonly id: string
  readonly question: string
  status: string
  items: number
  evidence: string
}

/** The view of a run: its tree on a terminal, a sentence for each event elsewhere. */
export class ResearchView {
  readonly #streams: Streams
  readonly #json: boolean
  readonly #nodes = new Map<string, Node>()
  #narration = ''
  #files = ''
  #drawn = 0
  #drawnAt = 0
  #isOver = false
  readonly #turning: NodeJS.Timeout | undefined

  constructor(streams: Streams, json: boolean) {
    this.#streams = streams
    this.#json = json
    // The spinner shows that the run continues while it waits for a model.
    if (!json && streams.err.isTerminal) this.#turning = setInterval(() => this.#turn(), PAUSE_MS * 2).unref()
  }

  readonly emit = (event: RunEvent): void => {
    const { out, err } = this.#streams
    if (this.#json) out.write(`${serializeVisibly(event)}\n`)
    else if (err.isTerminal) this.#follow(event)
    else err.write(`${oneLine(narrationOf(event))}\n`)
  }

  /** The last picture stays. */
  end(): void {
    clearInterval(this.#turning)
    this.#isOver = true
    if (!this.#json && this.#streams.err.isTerminal && this.#nodes.size > 0) this.#draw()
  }

  #turn(): void {
    if (this.#nodes.size > 0) this.#draw()
  }

  #follow(event: RunEvent): void {
    this.#narration = oneLine(narrationOf(event))
    const { node_id: id, type } = event
    if (type === 'context_binding_parsing_file_completed') this.#files = `${event.index} of ${event.total} files`
    if (type === 'node_started' && id !== undefined) this.#node(id, String(event.question)).status = 'running'
    if (type === 'node_decomposed' && Array.isArray(event.children)) {
      for (const child of event.children) this.#node(String(child.id), String(child.question))
    }
    const node = id === undefined ? undefined : this.#nodes.get(id)
    if (node && type === 'context_for_node_ready') node.items = Number(event.selected_items_count)
    if (node && type === 'node_completed') {
      node.status = String(event.status)
      node.evidence = Array.isArray(event.evidence) ? event.evidence.join(', ') : ''
    }
    const now = performance.now()
    if (now - this.#drawnAt < PAUSE_MS) return
    this.#drawnAt = now
    this.#draw()
  }

  #node(id: string, question: string): Node {
    const node = this.#nodes.get(id) ?? { id, question, status: 'pending', items: 0, evidence: '' }
    this.#nodes.set(id, node)
    return node
  }

  #draw(): void {
    const { err } = this.#streams
    const { dim, cyan, width } = styleOf(err.look)
    const all = [...this.#nodes.values()].sort((a, b) => byPosition(a.id, b.id))
    const done = all.filter(
      ({ status }) => MARKS[status] !== undefined && status !== 'running' && status !== 'pending',
    ).length
    const share = all.length === 0 ? 0 : done / all.length
    const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░')
    const lines = [
      ...all.map((node) => cutLine(nodeLine(node), width)),
      `${cyan(bar)} ${done} of ${all.length} questions${this.#files === '' ? '' : `, ${this.#files}`}`,
      dim(cutLine(this.#isOver ? this.#narration : `${spinnerFrame()} ${this.#narration}`, width)),
    ]
    const up = this.#drawn > 0 ? `\u001b[${this.#drawn}A` : ''
    err.draw(`${up}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`)
    this.#drawn = lines.length
  }
}

const MARKS: Readonly<Record<string, string>> = {
  pending: '·',
  running: '…',
  answered: '✓',
  partial: '~',
  unresolved: '✗',
}

function nodeLine({ id, question, status, items, evidence }: Node): string {
  const indent = '  '.repeat(id.split('.').length - 1)
  const mix = [items > 0 ? countNoun(items, 'item') : '', evidence].filter((part) => part !== '').join('; ')
  return `${indent}${MARKS[status] ?? '·'} ${id} ${oneLine(question)}${mix === '' ? '' : ` (${mix})`}`
}

function cutLine(line: string, width: number): string {
  return line.length > width - 1 ? `${line.slice(0, width - 3).toWellFormed()} …` : line
}

function byPosition(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
