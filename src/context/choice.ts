/** The answer itself, where nothing was chosen: to spread it would compute its digest. */
export function withChoice<Answer extends object>(answer: Answer, choice: string | undefined): Answer {
  return choice === undefined ? answer : Object.defineProperty(answer, 'choice', { value: choice, enumerable: true })
}
