import { AMBIT, profileNamed } from '../profiles.ts'
import type { Profile } from './profile.ts'

const rulesOf = (name: string) => profileNamed(name).rules ?? []

/**
 * Whatever somebody wrote for an agent, whichever: of each directory the first instruction file by how many tools read its
 * name, and the rules by path of all of them. For readers of every kind; no tool loads like this.
 */
export const EVERY_CONVENTION: Profile = {
  ...AMBIT,
  name: 'every-convention',
  pointers: true,
  names: [
    [
      'AGENTS.md',
      'KODELET.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
      'GEMINI.md',
      'QWEN.md',
      'CRUSH.md',
      '.github/copilot-instructions.md',
    ],
  ],
  rules: [...rulesOf('claude'), ...rulesOf('cursor'), ...rulesOf('copilot')],
}
