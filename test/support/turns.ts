/** Whether a conversation is in order, whatever its service speaks. */

/** A message: the ids of its calls, and of those that it answers. */
export interface Turn {
  readonly role: string
  readonly calls?: readonly string[]
  readonly answers?: readonly string[]
}

/** Each call is answered in the next message, and nothing is answered that was not called. `isStrict`: the roles take turns. */
export function turnProblems(turns: readonly Turn[], isStrict: boolean): string[] {
  const problems = isStrict && turns[0]?.role !== 'user' ? ['The first message is not of the user.'] : []
  for (const [at, { role, calls = [], answers = [] }] of turns.entries()) {
    const { role: before, calls: called = [] } = turns[at - 1] ?? { role: '' }
    if (role === before && (isStrict || role === 'user')) problems.push(`Message ${at} is of ${role} again.`)
    if (called.join() !== answers.join()) problems.push(`Message ${at} answers ${answers}, called was ${called}.`)
    if (new Set(calls).size < calls.length) problems.push(`Message ${at} has two calls of one id.`)
  }
  return turns.at(-1)?.calls?.length ? [...problems, 'The last calls have no answer.'] : problems
}

/** Calls, and answers, that each have a message of their own are together one message. */
export function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = []
  for (const { role, calls = [], answers = [] } of turns) {
    const last = joined.at(-1)
    if (last?.role !== role || role === 'user') joined.push({ role, calls, answers })
    else
      joined.splice(-1, 1, {
        role,
        calls: [...(last.calls ?? []), ...calls],
        answers: [...(last.answers ?? []), ...answers],
      })
  }
  return joined
}
