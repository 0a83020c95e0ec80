import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { it } from 'vitest'
import type { Prompt, Workspace } from '../../../../src/context/workspace/workspace.ts'
import { fc, forAllAsync } from '../../../support/property.ts'
import { open, type Project, project } from '../../../support/workspace.ts'

const DIRECTORIES = ['', 'a/', 'a/b/', 'a/c/', 'd/', 'd/e/f/'] as const
const NAMES = ['AGENTS.md', 'KODELET.md'] as const
const HOME = ['~/.ambit/AGENTS.md', '~/.kodelet/AGENTS.md'] as const

/** What is on disk and was touched, and what a reader has; kept without any of the code under test. */
interface Model {
  readonly files: Map<string, string>
  readonly touched: Set<string>
  /** What of the epoch the reader holds true: the text of each file, and how many bytes say so. */
  sent: Map<string, { readonly text: string; readonly bytes: number }>
  /** Bytes that do not hold any more. */
  replaced: number
  text: string
  epoch: number
}

interface Real {
  readonly planted: Project
  readonly workspace: Workspace
  /** The last prompt of the reader that gives what it has, and of another that asks seldom. */
  last: Prompt | undefined
  seldom: Prompt | undefined
}

/** The files that apply, in order: by directories, the deepest first, then by name; of each the first file with text. */
function current({ files, touched }: Model): [string, string][] {
  const reached = DIRECTORIES.filter((at) => at === '' || [...touched].some((path) => path.startsWith(at)))
  const depth = (at: string) => at.split('/').length
  const ordered = [...reached].sort((x, y) => depth(y) - depth(x) || (x < y ? -1 : 1))
  const winners = ordered.flatMap((at) =>
    NAMES.map((name) => at + name)
      .filter((path) => files.has(path))
      .slice(0, 1),
  )
  return [...winners, ...HOME].flatMap((path) => {
    const text = files.get(path)
    return text ? [[path, text]] : []
  })
}

const frame = (path: string, text: string, update?: string) =>
  `<context filename="${path}"${update ? ` update="${update}"` : ''}>\n${text.replaceAll('<', '&lt;')}\n</context>\n`

const bytesOf = (text: string) => Buffer.byteLength(text)

/** What the next prompt must be, from the model alone. */
function expected(model: Model): { text: string; delta: string; epoch: number; stale: string[] } {
  const now = new Map(current(model))
  const elements: [path: string, element: string, isNotice: boolean][] = []
  for (const [path, text] of now) if (!model.sent.has(path)) elements.push([path, frame(path, text), false])
  for (const [path, text] of now) {
    const isChanged = model.sent.has(path) && model.sent.get(path)?.text !== text
    if (isChanged) elements.push([path, frame(path, text, 'replaces the version sent before'), false])
  }
  for (const path of model.sent.keys()) {
    const notice = 'The text sent before is out of date.'
    if (!now.has(path)) elements.push([path, frame(path, notice, 'no longer applies'), true])
  }
  const stale = elements.map(([path]) => path).filter((path) => model.sent.has(path))
  const old = elements.reduce(
    (sum, [path, element, isNotice]) => sum + (model.sent.get(path)?.bytes ?? 0) + (isNotice ? bytesOf(element) : 0),
    model.replaced,
  )
  const delta = elements.map(([, element]) => element).join('')
  if (model.epoch === 0 || (stale.length > 0 && old * 2 > bytesOf(model.text + delta))) {
    model.sent = new Map([...now].map(([path, text]) => [path, { text, bytes: bytesOf(frame(path, text)) }]))
    model.text = [...now].map(([path, text]) => frame(path, text)).join('')
    model.epoch += 1
    model.replaced = 0
    return { text: model.text, delta: model.text, epoch: model.epoch, stale }
  }
  for (const [path, element] of elements) {
    const text = now.get(path)
    if (text === undefined) model.sent.delete(path)
    else model.sent.set(path, { text, bytes: bytesOf(element) })
  }
  model.replaced = old
  model.text += delta
  return { text: model.text, delta, epoch: model.epoch, stale: [] }
}

type Command = fc.AsyncCommand<Model, Real>

const write = (path: string, text: string): Command => ({
  check: () => true,
  async run(model, { planted }) {
    model.files.set(path, text)
    mkdirSync(dirname(planted.file(path)), { recursive: true })
    writeFileSync(planted.file(path), text)
  },
  toString: () => `write ${path} ${JSON.stringify(text)}`,
})

const remove = (path: string): Command => ({
  check: ({ files }) => files.has(path),
  async run(model, { planted }) {
    model.files.delete(path)
    rmSync(planted.file(path))
  },
  toString: () => `remove ${path}`,
})

const touch = (path: string): Command => ({
  check: () => true,
  async run(model, { workspace }) {
    model.touched.add(path)
    await workspace.touch(path)
  },
  toString: () => `touch ${path}`,
})

const ask: Command = {
  check: () => true,
  async run(model, real) {
    const wanted = expected(model)
    const prompt = await real.workspace.prompt(real.last ?? 'nothing')
    const { text, delta, epoch } = prompt
    same({ text, delta, epoch }, { text: wanted.text, delta: wanted.delta, epoch: wanted.epoch })
    if (wanted.stale.length > 0 && !wanted.stale.some((path) => prompt.reason.endsWith(`: ${path}`))) {
      throw new Error(`The reason is "${prompt.reason}", but stale are ${wanted.stale.join(', ')}.`)
    }
    if (real.last?.epoch === epoch) same(text, real.last.text + delta)
    real.last = prompt
  },
  toString: () => 'ask',
}

/** The reader that asks seldom must come to the same text by its own deltas. */
const askSeldom: Command = {
  check: () => true,
  async run(model, real) {
    const wanted = expected(model)
    const prompt = await real.workspace.prompt(real.seldom ?? 'nothing')
    same(prompt.text, wanted.text)
    same(real.seldom?.epoch === prompt.epoch ? real.seldom.text + prompt.delta : prompt.delta, prompt.text)
    real.seldom = prompt
    // The prompt may have begun an epoch or extended one: the other reader must get that as its own delta.
    await catchUp(real)
  },
  toString: () => 'ask seldom',
}

async function catchUp(real: Real): Promise<void> {
  const prompt = await real.workspace.prompt(real.last ?? 'nothing')
  same(real.last?.epoch === prompt.epoch ? real.last.text + prompt.delta : prompt.delta, prompt.text)
  real.last = prompt
}

function same(actual: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(wanted)]
  if (one !== other) throw new Error(`Got ${one}\nnot ${other}`)
}

const PATH = fc.oneof(
  fc.tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom(...NAMES)).map((parts) => parts.join('')),
  fc.constantFrom(...HOME),
)
const TEXT = fc.constantFrom('one', 'two', 'six', '', '\u00e9\n', '</context>')
const TOUCHED = fc
  .tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom('x.ts', 'g/h.ts', ''))
  .map((parts) => parts.join(''))

it('a prompt is the one before plus its delta, and a new epoch begins when most of it is stale, and only then', async () => {
  const commands = fc.commands(
    [
      fc.tuple(PATH, TEXT).map((args) => write(...args)),
      PATH.map(remove),
      TOUCHED.map(touch),
      fc.constant(ask),
      fc.constant(ask),
      fc.constant(askSeldom),
    ],
    { maxCommands: 40, size: 'max' },
  )
  await forAllAsync(150, commands, async (sequence) => {
    using planted = project(Object.fromEntries(DIRECTORIES.map((at) => [at, ''])))
    const workspace = await open(planted, { options: { filenames: 'relative' } })
    const model: Model = { files: new Map(), touched: new Set(), sent: new Map(), replaced: 0, text: '', epoch: 0 }
    await fc.asyncModelRun(
      () => ({ model, real: { planted, workspace, last: undefined, seldom: undefined } }),
      sequence,
    )
  })
})
