/** The words of a query for rankers without a parser of their own: runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** English words that do not say what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can cannot could did do does doing don down during each either else ever every few for from further get had
  has have having he her here hers herself him himself his how however i if in into is it its itself just let may me
  might more most much must my myself neither no nor not now of off often on once only or other ought our ours
  ourselves out over own per rather same shall she should since so some still such than that the their theirs them
  themselves then there therefore these they this those though through thus to too under until up upon us very was we
  were what when where whether which while who whom whose why will with within without would yet you your yours
  yourself yourselves`.split(/\s+/),
)

/** The words without stop words; all words if nothing would be left. */
export function contentWords(text: string): string[] {
  const words = wordsOf(text)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return telling.length === 0 ? words : telling
}
