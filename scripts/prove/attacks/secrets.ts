import { readdirSync, readFileSync, statSync } from 'node:fs'
import { ambit } from '../../../test/support/program.ts'
import { type Tree, tree } from '../../../test/support/tree.ts'
import type { Attack } from '../attack.ts'

/** A secret in pieces, so that no scanner reports this file. */
const VALUE = ['Zq8Lw3RkT6v', 'Nc9YpB2hJf7', 'XsD4mGu1', 'KeW5aQo0'].join('/')

const TEXTS: Readonly<Record<string, string>> = {
  'an assignment': `# Deployment\n\nThe zebra settings are these:\n\nAWS_SECRET_ACCESS_KEY=${VALUE}\n`,
  'a key without its end': `# Deployment\n\nThe zebra settings are these:\n\n> -----BEGIN ${'PRIVATE'} KEY-----\n> MIIEvQ${VALUE.repeat(2).slice(0, 58)}\n`,
}

type Calls = readonly (readonly string[])[]

/** The commands of each feature. They run in a directory where all files contain the secret. */
const COMMANDS: Readonly<Record<string, Calls>> = {
  index: [
    ['collection', 'add', 'config', 'config'],
    ['index'],
    ['search', 'zebra settings'],
    ['get', 'ambit://config/prod.txt'],
  ],
  load: [['load', '.', '--profile', 'codex']],
  task: [['task', 'change the zebra settings']],
  hook: [['hook', 'codex']],
  research: [['research', 'What are the zebra settings?', '--file', 'config/prod.txt', '--out', 'report.md']],
  packages: [
    ['collection', 'add', 'lab', 'lab'],
    ['package', 'push', 'config', 'team/data', '--registry', 'lab', '--yes'],
  ],
}

function shape(text: string) {
  return {
    '.git/': '',
    'AGENTS.md': text,
    '.context/CONSTITUTION.md': `${text}\nOf everybody.\n`,
    'config/prod.txt': text,
    'src/zebra.ts': `/*\n${text}*/\nexport const settings = 1\n`,
    'lab/': '',
  }
}

/** Runs the commands. Returns everything that the program printed and wrote. */
function outputsOf(at: Tree, calls: Calls): string {
  const input = JSON.stringify({ session_id: 's', cwd: at.base, hook_event_name: 'SessionStart', source: 'startup' })
  const outputs = calls.map((args) => ambit(args, { cwd: at.base, input: args[0] === 'hook' ? input : '' }))
  const written = ['report.md', ...readdirSync(at.at('lab'), { recursive: true }).map((name) => `lab/${name}`)]
  const texts = written.flatMap((name) => {
    const isFile = statSync(at.at(name), { throwIfNoEntry: false })?.isFile() ?? false
    return isFile ? [readFileSync(at.at(name), 'utf8')] : []
  })
  return [...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...texts].join('\n')
}

export const secretsAttacks: readonly Attack[] = Object.entries(TEXTS).flatMap(([what, text]) =>
  Object.entries(COMMANDS).map(([feature, calls]) => ({
    name: `${what}, through ${feature}`,
    hit: async () => {
      using at = tree(shape(text))
      const outputs = outputsOf(at, calls)
      return /zebra settings are these/.test(outputs) ? `${feature} shows a part of ${what}` : undefined
    },
  })),
)
