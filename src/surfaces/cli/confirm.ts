import { createInterface } from 'node:readline/promises'
import { INTERRUPTED } from './streams.ts'
import { wrapLines } from './table.ts'

export function isYes(text: string): boolean {
  return /^y(es)?$/i.test(text.trim())
}

/** Asks a person a yes-or-no question, on stderr. Any answer other than yes counts as no. */
export async function confirm(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C at the question must end the program, which would otherwise wait forever.
  reader.once('SIGINT', () => process.exit(INTERRUPTED))
  const prompt = `${question} [y/N] `
  const { columns } = process.stderr
  try {
    return isYes(await reader.question(columns ? wrapLines(prompt, columns) : prompt))
  } finally {
    reader.close()
  }
}
