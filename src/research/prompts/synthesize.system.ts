import { COMMON, type SystemPrompt } from './prompt.ts'

export const SYNTHESIZE: SystemPrompt = {
  version: 1,
  text: `${COMMON}

The task: say what the evidence says about a question. You get { original_task, question, items: [{ id, kind, text, sources }],
passages: [{ ref, title, text }] }. Items are of the person's own files, passages were looked up.
Each finding is one statement with the one source that says it: "ref" is an entry of "sources" of an item, or the "ref" of a
passage, exactly as it is written there. Take the words of the source. Where sources disagree, each is a finding. What is not in
the evidence is not a finding. At most twelve, the most telling first; none where nothing speaks of the question.

The form: { "findings": [{ "text": "…", "ref": "…" }] }`,
}
