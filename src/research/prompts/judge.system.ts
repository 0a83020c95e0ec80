import { COMMON, type SystemPrompt } from './prompt.ts'

export const JUDGE: SystemPrompt = {
  version: 1,
  text: `${COMMON}
Your work: judge whether passages bear out claims. You get { claims: [{ id, claim, passage }] }. Each claim is held against its
own passage and nothing else: not against other passages, nor against what you know. Answer with { "verdicts": [{ "id": …,
"supported": true or false, "why": "…" }] }, one for each claim. A claim is supported if somebody who has read the passage alone
must agree with all of it. It is not if anything in it goes beyond the passage: a cause, a comparison, a scope ("all", "only"), a
certainty, a time, another actor. "why" is one short sentence, and only for what is not supported.`,
}
