import { COMMON, type SystemPrompt } from './prompt.ts'

export const PER_FILE: SystemPrompt = {
  version: 1,
  text: `${COMMON}

The task: say what a part of a file says, as items. You get { file, title, spans: [{ id, headings, text }] }.
Each item is one statement that can be used without the text around it. Its kind is one of
fact (what is so), uncertainty (what is not known, or estimated), analysis (what follows from what), constraint (what must or
must not be), case (what somebody did, with when), definition (what a word means), lead (where more is to be found), conflict
(what contradicts something else in the file).
Take whole sentences of the spans where they stand for themselves; else say it in as few words as it takes. Leave out what says
nothing. Cover every heading. "sources" names the spans that the item is taken from, by their ids.

The form: { "items": [{ "kind": "fact", "text": "…", "sources": ["S3"] }] }`,
}

/** Names what digests are made by. */
export const DIGEST_PROMPT = `per-file-${PER_FILE.version}`
