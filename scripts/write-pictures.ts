/** Draws docs/images/terminal.svg: commands run in a small project in a terminal of 80 columns, with what they printed. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { terminalPicture } from './docs/terminal-picture.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PROGRAM = join(ROOT, 'dist/cli/bin.js')

const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'AGENTS.md': '# Shop\n\nWrite a test for each fix.\n',
  'CLAUDE.md': '@AGENTS.md\n\nUse the plan mode for migrations.\n',
  '.context/CONSTITUTION.md': '# Constitution\n\n- Money is an integer of cents.\n',
  '.context/DECISIONS.md': '# Decisions\n\n## Retry\n\nA payment is retried at most twice.\n',
  'packages/api/AGENTS.md': '# API\n\nCheck the token in every handler.\nNever log a request body.\n',
  'packages/api/src/charge.ts':
    'export async function chargeOf(id: string): Promise<Charge> {\n  const order = await orders.get(id)\n' +
    '  return { id: order.charge, cents: order.total }\n}\n\nexport function formatCents(cents: number): string {\n' +
    '  return (cents / 100).toFixed(2)\n}\n',
  'packages/api/src/refund.ts':
    "import { chargeOf } from './charge.ts'\n\nexport async function refundOrder(id: string, cents: number) {\n" +
    '  const charge = await chargeOf(id)\n  if (cents > charge.cents) throw new RefundTooLarge(id, cents)\n' +
    '  return bank.refund(charge.id, cents)\n}\n\nexport class RefundTooLarge extends Error {}\n',
}

const TOUCHED = 'packages/api/src/refund.ts'

const SCENE = [
  { about: 'Which tool loads which file?', line: `ambit diff --profile claude,codex --touched ${TOUCHED}` },
  { about: 'Why not?', line: 'ambit explain packages/api --profile claude --why-not packages/api/AGENTS.md' },
  {
    about: 'From now on, Claude Code gets what it misses, in the turn that touches it.',
    line: 'ambit init --agent claude --write',
  },
  { about: 'What should it read for this task?', line: 'ambit task "refundOrder pays more than the charge"' },
]

const home = mkdtempSync(join(tmpdir(), 'ambit-picture-'))
try {
  const project = join(home, 'shop')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const parts = SCENE.map(
    ({ about, line }) =>
      `\u001b[2m# ${about}\u001b[22m\n$ \u001b[1m${line}\u001b[22m\n${run(line, project).trimEnd()}\n`,
  )
  writeFileSync(join(ROOT, 'docs/images/terminal.svg'), terminalPicture(parts.join('\n'), 80))
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** What a command line prints on a terminal, with its colours. */
function run(line: string, cwd: string): string {
  const command = line.replace(/^ambit/, `stty cols 80; '${process.execPath}' '${PROGRAM}'`)
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), TERM: 'xterm-256color' }
  const printed = execFileSync('script', ['-qec', command, '/dev/null'], { cwd, env, encoding: 'utf8' })
  return printed.replaceAll('\r\n', '\n').replaceAll(`${cwd}/`, '')
}
