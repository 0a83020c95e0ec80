import type { ItemKind } from '../run/item.ts'

/** By the words that a sentence holds; the first that fits. */
const CUES: readonly (readonly [ItemKind, RegExp])[] = [
  [
    'constraint',
    /\b(?:must(?: not)?|shall(?: not)?|may not|required? to|is required|are required|not allowed|prohibited|forbidden|no later than|no more than|at most|at least|up to a maximum|only if|never|mandatory|deadline)\b/i,
  ],
  [
    'definition',
    /^(?:an? |the )?["“]?[\p{L}\p{N}][\p{L}\p{N}\s’'()/-]{0,60}["”]?\s+(?:means|refers to|is defined as|is an? (?:kind|type|form|unit|name|measure) of|stands for)\b/iu,
  ],
  [
    'uncertainty',
    /\b(?:might|may be|perhaps|possibly|probably|unclear|unknown|uncertain|not yet known|estimated?|approximately|roughly|to be decided|tbd|assum(?:e|ed|ption)|expected to|likely|remains open)\b/i,
  ],
  ['conflict', /\b(?:contradict(?:s|ed|ory)?|disagrees?|in conflict with|disputed?|inconsistent with)\b/i],
  [
    'analysis',
    /\b(?:therefore|thus|hence|because|implies|suggests that|as a result|consequently|which means|so that|due to|leads? to)\b/i,
  ],
  ['lead', /(?:https?:\/\/|\b(?:see also|see [A-Z§]|for details|further reading|source:|according to)\b)/],
  [
    'case',
    /\b(?:in|on|since|during) (?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|(?:19|20)\d\d\b).*\b\p{L}+ed\b|\b\p{Lu}\p{L}+ (?:reported|announced|opened|closed|launched|replaced|signed|moved|tried|built)\b/iu,
  ],
]

/** What a sentence is, by the words that it holds: a fact where no other speaks for itself. */
export function kindOf(sentence: string): ItemKind {
  return CUES.find(([, cue]) => cue.test(sentence))?.[0] ?? 'fact'
}
