/** Parses the fenced blocks of a document that are marked `run`, with the output that they must print. */

import MarkdownIt from 'markdown-it'

/** Lines of a file, from `start` up to but not including `end`; the first line is 0. */
export interface Lines {
  readonly start: number
  readonly end: number
}

export interface Step {
  readonly command: string
  readonly expected: readonly string[]
}

/** A shell session: commands, each with its output. */
export interface ConsoleBlock {
  readonly kind: 'console'
  /** Where it runs: in the document's own working directory, or in the repository root. */
  readonly place: 'work' | 'root'
  readonly steps: readonly Step[]
  /** The lines between the fences. */
  readonly lines: Lines
}

/** A module, with its output. */
export interface ModuleBlock {
  readonly kind: 'module'
  readonly place: 'work' | 'root'
  readonly code: string
  /** Absent if the module only has to succeed. */
  readonly expected?: readonly string[]
  /** The lines between the fences of the output block; without an output block, of the code. */
  readonly lines: Lines
}

export type Block = ConsoleBlock | ModuleBlock

interface Fence {
  readonly words: readonly string[]
  readonly content: string
  readonly lines: Lines
}

function fences(markdown: string): Fence[] {
  return new MarkdownIt().parse(markdown, {}).flatMap((token) => {
    if (token.type !== 'fence' || token.map === null) return []
    const [start, end] = token.map
    return [
      { words: token.info.trim().split(/\s+/), content: token.content, lines: { start: start + 1, end: end - 1 } },
    ]
  })
}

function toLines(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n')
}

/** `$ ` starts a command, `> ` continues it, everything else is output. `isOne`: the first line is the only command. */
export function toSteps(content: string, isOne = false): Step[] {
  const steps: { command: string; expected: string[] }[] = []
  for (const line of toLines(content)) {
    const step = steps.at(-1)
    if (line.startsWith('$ ') && !(isOne && step)) steps.push({ command: line.slice(2), expected: [] })
    else if (step === undefined) throw new Error(`output before the first command: ${line}`)
    else if (line.startsWith('> ') && !isOne && step.expected.length === 0) step.command += `\n${line.slice(2)}`
    else step.expected.push(line)
  }
  return steps
}

function placeOf(words: readonly string[]): 'work' | 'root' | undefined {
  if (words.includes('run=root')) return 'root'
  return words.includes('run') ? 'work' : undefined
}

function toBlock(fence: Fence, next: Fence | undefined): Block | undefined {
  const place = placeOf(fence.words)
  const [language] = fence.words
  if (place === undefined) return undefined
  if (language === 'console') {
    return { kind: 'console', place, steps: toSteps(fence.content, fence.words.includes('one')), lines: fence.lines }
  }
  if (language !== 'ts') throw new Error(`a block of '${language}' cannot be run, only 'console' and 'ts'`)
  const output = next?.words.join(' ') === 'text output' ? next : undefined
  if (output === undefined) return { kind: 'module', place, code: fence.content, lines: fence.lines }
  return { kind: 'module', place, code: fence.content, expected: toLines(output.content), lines: output.lines }
}

/** The blocks of a Markdown text to run, in order. */
export function blocksOf(markdown: string): Block[] {
  const all = fences(markdown)
  return all.map((fence, index) => toBlock(fence, all[index + 1])).filter((block) => block !== undefined)
}
