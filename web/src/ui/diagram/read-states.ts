/** Reads state diagrams of Mermaid; gives up on what it does not know. */

import type { Flow, FlowEdge, FlowGroup, FlowNode, Shape } from './drawn.ts'
import { labelOf } from './lines.ts'

const MOST = 150

const ID = '[\\p{L}\\p{N}_.-]+?'
const STATE = `(?:\\[\\*\\]|${ID})`
const CHANGE = new RegExp(`^(${STATE})\\s*-->\\s*(${STATE})(?:\\s*:\\s*(.*))?$`, 'u')
const NAMED = new RegExp(`^state\\s+"([^"]*)"\\s+as\\s+(${ID})\\s*(\\{)?$`, 'u')
const BARE = new RegExp(`^state\\s+(${ID})\\s*(\\{|<<(\\w+)>>)?$`, 'u')
const TOLD = new RegExp(`^(${ID})\\s*:\\s*(.+)$`, 'u')
const ALONE = new RegExp(`^${ID}$`, 'u')

const KINDS: Readonly<Record<string, Shape>> = { choice: 'diamond', fork: 'bar', join: 'bar' }

/** The states of these statements; undefined where some of them are not known here. */
export function readStates([header = '', ...statements]: readonly string[]): Flow | undefined {
  if (!/^stateDiagram(?:-v2)?$/.test(header)) return undefined
  const states = new States()
  return statements.every((statement) => states.read(statement)) ? states.flow() : undefined
}

class States {
  readonly #nodes = new Map<string, FlowNode>()
  readonly #groups = new Map<string, FlowGroup>()
  readonly #edges: FlowEdge[] = []
  readonly #open: string[] = []
  #way = 'TB'

  /** Whether it understood the statement. */
  read(statement: string): boolean {
    if (/^(?:classDef|class|style|hide empty description)\b/.test(statement)) return true
    const way = /^direction\s+(TB|TD|BT|LR|RL)$/.exec(statement)
    if (way) {
      if (this.#open.length === 0) this.#way = way[1] ?? 'TB'
      return true
    }
    if (statement === '}') return this.#open.pop() !== undefined
    const change = CHANGE.exec(statement)
    if (change) return this.#connect(change)
    return this.#declare(statement)
  }

  flow(): Flow | undefined {
    const nodes = [...this.#nodes.values()].filter(({ id }) => !this.#groups.has(id))
    if (this.#open.length > 0 || nodes.length === 0 || nodes.length > MOST || this.#edges.length > 2 * MOST)
      return undefined
    return {
      kind: 'flow',
      isAcross: this.#way === 'LR' || this.#way === 'RL',
      isBackwards: this.#way === 'BT' || this.#way === 'RL',
      nodes,
      groups: [...this.#groups.values()],
      edges: this.#edges,
    }
  }

  #connect([, from = '', to = '', label = '']: RegExpExecArray): boolean {
    const ends = { from: this.#stateOf(from, 'start'), to: this.#stateOf(to, 'end') }
    this.#edges.push({ ...ends, label: labelOf(label), look: 'solid', start: 'none', end: 'arrow' })
    return true
  }

  #declare(statement: string): boolean {
    const named = NAMED.exec(statement)
    if (named) {
      const [, label = '', id = '', brace] = named
      return brace === undefined ? this.#put(id, labelOf(label)) : this.#begin(id, labelOf(label))
    }
    const bare = BARE.exec(statement)
    if (bare) {
      const [, id = '', after, kind] = bare
      if (after === '{') return this.#begin(id, id)
      if (kind === undefined) return this.#put(id, id)
      const shape = KINDS[kind]
      return shape !== undefined && this.#put(id, '', shape)
    }
    const told = TOLD.exec(statement)
    if (told) return this.#put(told[1] ?? '', labelOf(told[2] ?? ''))
    return ALONE.test(statement) && !/^-+$|^(?:note|end)$/.test(statement) && this.#put(statement, statement)
  }

  #stateOf(written: string, end: 'start' | 'end'): string {
    if (written !== '[*]') {
      if (!this.#nodes.has(written)) this.#put(written, written)
      return written
    }
    const id = `${end} of ${this.#open.at(-1) ?? ''}`
    this.#put(id, '', end)
    return id
  }

  #put(id: string, label: string, shape: Shape = 'round'): boolean {
    const group = this.#nodes.get(id)?.group ?? this.#open.at(-1)
    this.#nodes.set(id, { id, label, shape, ...(group !== undefined && { group }) })
    return true
  }

  #begin(id: string, title: string): boolean {
    if (this.#groups.has(id)) return false
    const group = this.#open.at(-1)
    this.#groups.set(id, { id, title, ...(group !== undefined && { group }) })
    this.#open.push(id)
    return true
  }
}
