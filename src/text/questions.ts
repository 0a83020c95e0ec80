/** Maximum number of parts. A text with more parts, such as a pasted page, is one question. */
const MAX_PARTS = 7

/** The parts of a question, by its lines and question marks. */
export function splitQuestion(question: string): string[] {
  const lines = question.split(/[\r\n]+|(?<=[?？؟])\s+|(?<=[？])/u)
  const parts = lines.map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').trim())
  const questions = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return questions.length > 1 && questions.length <= MAX_PARTS ? questions : [question]
}
