/** Whether a claim says the opposite of its source in a word of which one kind excludes the others. */

import { hasNegation } from './claim-negations.ts'

/** Kinds of which a statement has one: words of each as they are written. Ends of words are left open by `*`. */
const KINDS: readonly (readonly string[])[] = [
  [
    'increas*|rise|rises|rising|rose|grow|grows|grew',
    'decreas*|reduc*|fall|falls|falling|fell|drop|drops|dropped|declin*|shrink*|shrank',
  ],
  ['more|greater|higher|larger|mehr|größer', 'less|fewer|lower|smaller|weniger|kleiner'],
  ['before|vor', 'after|nach'],
  ['at least|minimum|mindestens', 'at most|maximum|no more than|up to|höchstens'],
  ['all|every|each|alle|jeder', 'most', 'some|einige', 'few', 'only|nur'],
  ['must|shall|have to|has to|required', 'may|can|might|could'],
  ['open|opens|opened', 'close|closes|closed'],
  ['accept*|approv*', 'reject*|refus*'],
  ['buy|buys|bought|acquir*', 'sell|sells|sold'],
  ['start|starts|started|begin|begins|began', 'end|ends|ended|stop|stops|stopped'],
  ['enabl*', 'disabl*'],
  ['allow*|permit*', 'forbid*|forbade|prohibit*'],
  [
    'hourly|per hour|stündlich',
    'daily|per day|täglich|每天',
    'weekly|per week|wöchentlich|每周',
    'monthly|per month|monatlich|每月',
    'yearly|annual*|per year|jährlich|每年',
  ],
  ['first', 'second', 'third', 'fourth'],
  ['wide', 'long', 'high|tall', 'deep'],
  ['if', 'unless'],
  ['faster', 'slower'],
  ['older', 'younger'],
  ['earlier', 'later'],
  ['since', 'until|till'],
  ['support|supports|supported', 'oppose|opposes|opposed'],
  ['spring|frühling', 'summer|sommer', 'autumn|herbst', 'winter'],
  ['north|northern|norden', 'south|southern|süden'],
  ['east|eastern|osten', 'west|western|westen'],
  ['steigt|steigen|stieg|stiegen|gestiegen', 'sinkt|sinken|sank|sanken|gesunken|fiel|fielen|gefallen'],
  ['öffnet|öffnen|öffnete|geöffnet', 'schließt|schließen|schloss|geschlossen'],
]

const PATTERNS = KINDS.map((kinds) => kinds.map(patternOf))

function patternOf(words: string): RegExp {
  const each = words.split('|').map((word) => {
    const begin = word.replace('*', '\\p{L}*')
    return /\p{Script=Han}/u.test(word) ? begin : `(?<![\\p{L}\\p{N}])${begin}(?![\\p{L}\\p{N}])`
  })
  return new RegExp(each.join('|'), 'iu')
}

/** Where only one of both denies something, an opposite may be the same. */
export function whyOpposite(claim: string, sentence: string): string | undefined {
  if (hasNegation(claim) !== hasNegation(sentence)) return undefined
  for (const kinds of PATTERNS) {
    const own = kinds.filter((kind) => kind.test(claim))
    const theirs = kinds.filter((kind) => kind.test(sentence))
    if (own.length === 0 || theirs.length === 0 || own.some((kind) => theirs.includes(kind))) continue
    return `Its source does not say “${own[0]?.exec(claim)?.[0]}”.`
  }
  return undefined
}
