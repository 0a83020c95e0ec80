import { readHeading } from '../../text/headings.ts'
import type { Reference } from './references.ts'

/**
 * The state of a cited thing that does not exist. `dead`: the text assumes that the thing exists. `moved`: the thing has
 * another name now, or the text records the past. `planned`: a person or a tool still has to create the thing. `example`:
 * the text shows or forbids the thing, or the thing belongs to another project.
 */
export type CitationState = 'dead' | 'moved' | 'planned' | 'example'

/** The surroundings of a line in its Markdown text. */
export type LineStructure = ReturnType<typeof describeBlock>

type Heading = NonNullable<ReturnType<typeof readHeading>>

interface ListItem {
  readonly indent: number
  readonly text: string
}

interface CitationBlock {
  text: string
  readonly headings: readonly Heading[]
  readonly items: readonly ListItem[]
  /** Lines that introduce the block: the line before a fence, a comment in the fence, a line that ends in a colon. */
  readonly leads: readonly string[]
  /** Whether Markdown reads the block as prose, but the author meant code: a nested fence ended before it. */
  isNested: boolean
}

const ITEM = /^([ \t>]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)/s
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})[ \t]*([^`\s]?)/
const COMMENT = /^[ \t>]*(?:#|\/\/)+[ \t]*(.*)/s
/** Matches a mark of done, or a date. */
const DONE = /[✅☑✔]|\b\d{4}-\d{2}-\d{2}\b/u
/** Matches a line or heading that begins with a date or a version. */
const RECORD = /^\W*(?:\d{4}-\d{2}-\d{2}|\[?v?\d+\.\d+\.\d+)/
const NEGATION = /^\W*(?:[❌✗🚫⛔]|(?:avoid|do not|don['’]?ts?|never|not?|wrong)\b)/iu
/** Matches a negation directly before the citation. */
const NEGATED =
  /(?:[❌✗🚫⛔]|(?:\b(?:avoid|instead of|never|not?)|n['’]t)\b)[\s*_("]*(?:(?:run|us)(?:e|ning|ing)?\s+)?`*$/iu
const EXAMPLE = /\b(?:e\.g|examples?|samples?|such as)\b/i
const INTRODUCTION = /[:：][\s*_]*$/
const CITATION = /`[^`]*`|\]\([^()]*\)/g

const SENTENCE_END = /[.!?][\s)*_]+|\n[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/

/** Maximum characters of a line, and of a block. The rest is ignored. */
const LONGEST_LINE = 500
const LONGEST_BLOCK = 2000

/** Returns a function that describes the surroundings of a line, by its number from 1. The first call reads the text. */
export function structureOf(text: string): (line: number) => LineStructure {
  let blocks: readonly CitationBlock[] | undefined
  return (line) => {
    blocks ??= blocksByLine(text)
    return describeBlock(blocks[line - 1] as CitationBlock)
  }
}

function describeBlock({ text, headings, items, leads, isNested }: CitationBlock) {
  const checkboxes = items.flatMap((item) => /^\[([ xX])\][ \t]/.exec(item.text)?.[1] ?? [])
  const itemTexts = items.map((item) => item.text)
  const titles = headings.map(({ title }) => title)
  const introductions = [...itemTexts, ...leads]
  const task = checkboxes.at(-1) === ' ' ? ('open' as const) : ('done' as const)
  return {
    /** The state of the nearest checkbox in the list items around the line; undefined without a checkbox. */
    task: checkboxes.length === 0 ? undefined : task,
    /** Whether a list item around the line, or a line that introduces the block, starts with a negation. */
    isNegated: introductions.some((line) => NEGATION.test(line)),
    /** Whether a heading above the line has a date, a version or a mark of done, or a list item around the line has a date or such a mark. */
    isRecord: titles.some((each) => RECORD.test(each)) || [...titles, ...itemTexts].some((each) => DONE.test(each)),
    /** Whether the block, its headings or its introduction contain a word such as "example". */
    isExample: [text.replace(CITATION, ' '), ...introductions, ...titles].some((each) => EXAMPLE.test(each)),
    isNested,
  }
}

function blocksByLine(text: string): CitationBlock[] {
  let headings: readonly Heading[] = []
  let items: readonly ListItem[] = []
  let lead: string | undefined
  let block: CitationBlock | undefined
  /** The last line that is not blank. */
  let lastLine = ''
  /** The marks of the open fences (such as three backticks), outermost first, as the author means them. */
  const fences: string[] = []
  /** Whether Markdown reads the current line as code. */
  let isCode = false
  const newBlock = (leads: readonly string[] = lead === undefined ? [] : [lead]): CitationBlock => {
    return { text: '', headings, items, leads, isNested: false }
  }
  /** The lines that introduce a fence. Only prose changes them. */
  const fenceLeads = () => [lastLine, ...newBlock().leads]
  const readFence = (marks: string, info: string): CitationBlock => {
    const openFence = fences.at(-1)
    if (openFence !== undefined && info === '' && marks.startsWith(openFence)) fences.pop()
    else if (openFence === undefined || (info !== '' && marks === openFence)) fences.push(marks)
    const leads = isCode ? (block?.leads ?? []) : fenceLeads()
    isCode = isCode ? info !== '' : openFence === undefined || info !== ''
    const fence = newBlock(leads)
    block = isCode ? fence : undefined
    return fence
  }
  const readCode = (line: string): CitationBlock => {
    const comment = COMMENT.exec(line)?.[1]
    if (comment !== undefined) block = newBlock([comment, ...fenceLeads()])
    return block ?? newBlock()
  }
  const readProse = (line: string): CitationBlock => {
    const heading = readHeading(line)
    if (heading) {
      headings = [...headings.filter(({ level }) => level < heading.level), heading]
      items = []
      lead = undefined
      block = undefined
      return newBlock()
    }
    const [, marker, itemText = ''] = ITEM.exec(line) ?? []
    const indent = (marker ?? /^[ \t>]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length
    if (marker !== undefined || !block) items = items.filter((item) => item.indent < indent)
    if (marker !== undefined) {
      items = [...items, { indent, text: itemText }]
      block = { ...newBlock(), text: itemText }
      return block
    }
    block ??= newBlock()
    if (block.text.length < LONGEST_BLOCK) block.text += `${line}\n`
    if (items.length === 0) lead = INTRODUCTION.test(line) ? line : undefined
    return block
  }
  return text.split(/\r\n?|\n/).map((fullLine) => {
    const line = fullLine.slice(0, LONGEST_LINE)
    const [, marks, info = ''] = FENCE.exec(line) ?? []
    if (marks !== undefined) return readFence(marks, info)
    if (isCode) return readCode(line)
    const isBlank = line.trim() === ''
    if (isBlank) block = undefined
    const lineBlock = isBlank ? newBlock() : readProse(line)
    lineBlock.isNested ||= fences.length > 0
    if (!isBlank) lastLine = line
    return lineBlock
  })
}

/** A citation of something that does not exist. */
export interface MissingMention {
  readonly reference: Reference
  readonly structure: LineStructure
  /** Whether git knows that the cited thing once existed. */
  readonly hasExisted: boolean
  /** Whether the citation assumes that the thing exists, even if git never knew the thing. */
  readonly isAssumed: boolean
}

/** The state of a citation, by the structure of the text and by git. */
export function citationState({ reference, structure, hasExisted, isAssumed }: MissingMention): CitationState {
  const { task, isNegated, isRecord, isExample, isNested } = structure
  const isStruckOut = reference.before.split('~~').length % 2 === 0
  if (isStruckOut || isRecord || RECORD.test(reference.wholeLine) || task === 'done') return 'moved'
  const sentence = reference.before.split(SENTENCE_END).at(-1) ?? ''
  const isForbidden = NEGATION.test(sentence) || NEGATED.test(sentence)
  if (isNested || isNegated || isForbidden) return 'example'
  // Git may know a bare name from another directory.
  if (hasExisted && /[/#]/.test(reference.cited)) return 'dead'
  if (isExample) return 'example'
  if (hasExisted) return 'dead'
  return task === 'open' || !isAssumed ? 'planned' : 'dead'
}
