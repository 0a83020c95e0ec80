import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tree } from '../../support/tree.ts'

const SLOW = fileURLToPath(new URL('slow-chat.ts', import.meta.url))

function said(input: string) {
  using files = tree({ '.git/': '', 'AGENTS.md': 'Tests come first.\n' })
  const { status, ...said } = spawnSync(process.execPath, [SLOW], { cwd: files.base, input, encoding: 'utf8' })
  const [stdout, stderr] = [said.stdout, said.stderr].map((text) => text.replaceAll(files.base, '@'))
  return { stdout, stderr, status }
}

/** Lines of chats, each after a mark. */
const TALKS = [
  `/help|/context|/nothing|/constructor|/model|/model nobody/x|/tools|/prompts|/attach|/attach none.md|/attach AGENTS.md
  |/attach .git|/sign-in lab|/lab:ask now|/lab:|/save|/save talk.md||what of tests?|/context|/save|/save talk.md|/save talk.md
  |/save none/talk.md|/model`,
  'what of tests?|/quit|/nothing',
  '/help|/nothing',
]

it('A chat answers so what was typed before it was ready', async () => {
  const shown = TALKS.flatMap((lines) => {
    const { stdout, stderr, status } = said(lines.replaceAll(/\n? *\|/g, '\n'))
    return [`> ${lines}`, stderr?.replaceAll(/\b\d+ tokens/g, 'N tokens'), stdout, `(${status})`]
  })
  await expect(shown.join('\n')).toMatchFileSnapshot('../../contract/snapshots/chat-commands.txt')
})
