/** Maximum number of parts. A text with more, such as a pasted page, is one question. */
const MAX_PARTS = 7

/** The parts of a question, by its lines and question marks. */
export function splitQuestion(question: string): string[] {
  const lines = question.split(/[\r\n]+|(?<=[?？؟])\s+|(?<=[？])/u)
  const parts = lines.map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').trim())
  const asked = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return asked.length > 1 && asked.length <= MAX_PARTS ? asked : [question]
}
