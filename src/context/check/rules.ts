/** The rules of `check`: the severity of most findings, and what is wrong. */
export const RULES = {
  'stale-path': { severity: 'warning', text: 'A context file cites a path that does not exist.' },
  'stale-command': { severity: 'warning', text: 'A context file cites a command that cannot run.' },
  'stale-anchor': { severity: 'warning', text: 'A context file links to a heading that does not exist.' },
  'missing-required': { severity: 'error', text: 'The context directory lacks a required file.' },
  'over-budget': { severity: 'warning', text: 'A context file alone takes more than the budget.' },
  'hidden-unicode': { severity: 'error', text: 'A context file holds characters that a person does not see.' },
  'html-comment': {
    severity: 'note',
    text: 'A context file holds HTML comments, which a rendered page does not show.',
  },
  unreadable: { severity: 'error', text: 'A context file cannot be read.' },
  'invalid-utf8': { severity: 'warning', text: 'A context file is not valid UTF-8.' },
  'file-name': { severity: 'warning', text: 'The case of a file name keeps tools from reading an instruction file.' },
  'not-imported': { severity: 'warning', text: 'An instruction file names another one without importing it.' },
  'over-limit': { severity: 'warning', text: 'Instruction files take more than a tool reads.' },
  'unused-rule': { severity: 'warning', text: 'The patterns of a rule match no file.' },
} as const
