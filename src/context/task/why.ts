import type { FileScore } from '../../code/rank.ts'

const MOST_NAMES = 3

/** Why a file fits a task, in a short sentence. */
export function reasonFor({ signals, defines, words, commits }: FileScore): string {
  const reasons: string[] = []
  if (signals.frames > 0) reasons.push('stands in the stack trace')
  if (signals.named > 0) reasons.push('named in the task')
  if (defines.length > 0) reasons.push(`defines ${joinNames(defines)}, named in the task`)
  if (signals.phrases > 0) reasons.push('holds a text that the task quotes')
  const others = words.filter((word) => !defines.some((name) => name.toLowerCase().includes(word.toLowerCase())))
  if (reasons.length < 2 && others.length > 0) reasons.push(`speaks of ${joinNames(others)}`)
  if (reasons.length < 2 && commits && commits.together > 1)
    reasons.push(`changed with ${reasons.length === 0 ? 'these' : 'others of these'} in ${commits.together} commits`)
  if (reasons.length === 0 && commits) {
    reasons.push(
      commits.messages > 0 ? 'commits with words of the task changed it' : 'changed with these in one commit',
    )
  }
  return reasons.join('; ')
}

function joinNames(names: readonly string[]): string {
  return names
    .slice(0, MOST_NAMES)
    .map((name) => `\`${name}\``)
    .join(', ')
}
