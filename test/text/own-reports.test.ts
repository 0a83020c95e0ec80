import { expect, it } from 'vitest'
import { isOwnReport, quotationsLine, statementsLine } from '../../src/text/own-reports.ts'

const LINE = statementsLine((verdict) => verdict.length)

it.each([
  ['with the line of its statements', `# Why?\n\n${LINE}\n\nFiles:\n`, true],
  ['that only quotes', `# Why?\n\n${quotationsLine(3, 0)}\n\nFiles:\n`, true],
  ['that shows rows alone', `# Why?\n\n${quotationsLine(0, 0)}\n\nFiles:\n`, true],
  ['with Windows line ends', `# Why?\r\n\r\n${LINE}\r\n`, true],
  ['that an example shows', `# Reports\n\n\`\`\`md\n# Why?\n\n${LINE}\n\`\`\`\n`, false],
  ['that a sentence quotes', `It ends with “${LINE}”.\n`, false],
])('a report %s is known: %s', (_, text, isKnown) => {
  expect(isOwnReport(text)).toBe(isKnown)
})
