import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PRIORITY_ORDER } from '../src/context/sources/context-dir.ts'

/** The built program. */
export const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))

/** A new directory for one measurement. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'ambit-bench-'))
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Markdown as people write it, of about `bytes` bytes: headings, paragraphs, tasks, sometimes a code block. */
function markdownOf(bytes: number, seed: number): string {
  let text = `# File ${seed}\n\n`
  for (let section = 0; text.length < bytes; section++) {
    text += `## Section ${section} of file ${seed}\n\n`
    text += `The service keeps its state in one place. It is read by ${seed + section} callers, each of which may fail. `
    text += 'Nothing is retried without a limit; see `src/retry.ts` for the rule and **why** it holds.\n\n'
    for (let item = 0; item < 6; item++) {
      text += `- [${item % 3 === 0 ? 'x' : ' '}] Item ${item} of section ${section} #area:${seed % 7}\n  - **Owner**: team ${item}\n`
    }
    text += '\n'
    if (section % 4 === 0) text += '```ts\nexport const limit = 3 // tries\n```\n\n'
  }
  return text.slice(0, bytes)
}

/** Creates a project with a context directory. `bytes`: the size of all files together. */
export function contextProject(files: number, bytes: number): string {
  const root = scratch()
  mkdirSync(join(root, '.git'))
  for (let index = 0; index < files; index++) {
    const name = PRIORITY_ORDER[index] ?? `NOTES_${String(index).padStart(5, '0')}.md`
    // The constitution must be short, because it is never cut.
    const size = name === 'CONSTITUTION.md' ? Math.min(1000, bytes / files) : bytes / files
    write(join(root, '.context', name), markdownOf(Math.round(size), index))
  }
  return root
}

/** Creates a tree of `directories` directories with `instructions` AGENTS.md in them. Returns the paths of `touched` files. */
export function monorepo(directories: number, instructions: number, touched: number) {
  const root = scratch()
  mkdirSync(join(root, '.git'))
  const width = Math.ceil(Math.cbrt(directories))
  const paths: string[] = []
  for (let index = 0; paths.length < directories; index++) {
    const path = join(root, `team${index % width}`, `package${Math.floor(index / width) % width}`, `module${index}`)
    mkdirSync(path, { recursive: true })
    paths.push(path)
  }
  const every = Math.floor(directories / instructions)
  for (let index = 0; index < instructions; index++)
    write(join(paths[index * every] ?? root, 'AGENTS.md'), markdownOf(2000, index))
  const step = Math.max(1, Math.floor(directories / touched))
  const files = Array.from({ length: touched }, (_, index) =>
    join(paths[(index * step) % directories] ?? root, 'file.ts'),
  )
  return { root, paths, touched: files }
}

/** Bytes of all files below a directory. */
export function sizeBelow(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
