/** Maximum number of questions. A text with more, such as a pasted page, counts as one question. */
const MAX_PARTS = 7

/** The single questions in a text, split at line ends and after question marks. */
export function splitQuestion(question: string): string[] {
  const lines = question.split(/[\r\n]+|(?<=[?？؟])\s+|(?<=[？])/u)
  const parts = lines.map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, '').trim())
  const questions = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return questions.length > 1 && questions.length <= MAX_PARTS ? questions : [question]
}
