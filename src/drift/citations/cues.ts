import type { Reference } from './references.ts'
import type { CitationSurroundings } from './surroundings.ts'

/**
 * What became of something that is cited and is not there. `dead`: the text takes it to be there. `moved`: it is
 * elsewhere now, or the text itself tells of the past. `planned`: it is yet to be made, by
 * somebody or by a tool. `example`: it is named without
 * being meant, as an example, to warn of it, or as something of another project.
 */
export type State = 'dead' | 'moved' | 'planned' | 'example'

/** Something that is cited and is not there. */
export interface Mention {
  readonly reference: Reference
  readonly surroundings: CitationSurroundings
  /** Whether history knows that it once was there. */
  readonly wasThere: boolean
}

/** The words around a reference, without what is cited. */
interface Words {
  /** Of its sentence and those before it in its block. */
  readonly before: string
  readonly block: string
  readonly leads: readonly string[]
  readonly headings: readonly string[]
}

const PAST =
  /\b(?:no longer|removed|deleted|renamed|moved|superseded|formerly|previously|(?<!\b(?:is|are|be|been|being|was|were) )used to|now (?:at|called|in|lives?|under)|replaced (?:by|with)|merged into|split into)\b/i
const OLD = /\b(?:old|former|legacy|obsolete|deprecated|defunct)\b[\s,*_(:"'`]*(?:(?:and|or)\b[\s*_("'`]*)?$/i
const PAST_LEAD = /\b(?:touched|changed|removed|deleted|renamed|moved|replaced)\b.*[:\uff1a][\s*_]*$/i
const PAST_HEADING =
  /\b(?:history|change ?log|release notes|what['’]s changed|what changed|archived?|past|retrospective|post-?mortem|recent (?:changes|learnings))\b|^\W*(?:done|completed)\b|^\W*(?:\d{4}-\d{2}-\d{2}|\[?v?\d+\.\d+\.\d+)/i

const CONDITIONAL =
  /\b(?:(?:does|do|did|need|may|might) not exist|(?:doesn|don|didn)['’]t exist|if (?:it |they )?(?:exists?|present|any)|(?:if|when|where) (?:applicable|available|present)|(?:if|whether) \W*(?:exists?|is there)|optional(?:ly)?|git-?ignored|not (?:checked in|committed|tracked)|untracked)\b/i
const FOREIGN =
  /\b(?:at|for|from|in|inside|of) (?:that|another|their|your|the (?:client|consumer|consuming|customer|downstream|generated|host|other|sibling|target|upstream|user)(?:['’]s)?|(?:a|the) (?:new|user['’]s)) (?:own )?(?:app(?:lication)?|code ?base|package|plugin|project|repo(?:sitory)?|tree|workspace)\b/i
const WRONG = /^\W*(?:❌|✗|🚫|⛔|(?:wrong|incorrect|bad|don['’]?ts?|do not|never|avoid|not this|anti-?patterns?)\b)/i
/** What is forbidden to be done with something that is there. */
const CHANGES = /\b(?:alter|chang|delet|edit|modif|overwrit|remov|renam|touch)/i

const PLANNED =
  /\b(?:not yet|planned|to be (?:added|built|created|written)|will (?:be (?:added|created|generated|placed|saved|stored|written)|contain|go|live)|would (?:be|go|live)|(?:auto-?|pre-?|re)?generated(?! from)|(?:auto-?|re)generated|pre-?built|build (?:artifacts?|outputs?)|coming soon|upcoming|proposed)\b/i
const PLANNED_LEAD =
  /\b(?:(?:auto-?)?generat(?:e|es|ed)|creates?|outputs?|produces?|writes?|saves?|new (?:director(?:y|ies)|files?|folders?|modules?|packages?|pages?)|to be (?:added|created|written)|will (?:be|create|add|contain|live)|artifacts?|deliverables?)\b/i
const PLANNED_HEADING =
  /\b(?:road ?map|to-?dos?|backlog|next steps|future|planned|propos(?:ed|als?)|upcoming|ideas|wish ?list|not (?:yet|implemented)|coming soon|open tasks|(?:implementation|migration) plan|phase \d+|milestones?|(?:add|creat|implement|introduc|writ)(?:e|ing)? (?:(?:an?|the|your) )?new)\b|^\W*(?:plans?|tasks?)\W*$/i
/** Tasks that are about what is there. */
const TASK_ON_OLD =
  /^\W*(?:bump|clean|debug|delete|document|drop|fix|investigate|mend|move|refactor|remove|rename|repair|review|rewrite|simplify|test|update|upgrade)\b/i

const GAP = String.raw`[ \t*_(:"'\`]`
/** Marks around words. */
const MARKS = /^[*_(:"'`]+/
/** What makes something, and the words after it that say that what follows is a place. */
const MAKERS: readonly { readonly verb: RegExp; readonly places: RegExp }[] = [
  {
    verb: /\b(?:creat(?:e|es|ed|ing)|adds?|introduces?|new)\b(?=$|[*_(:"'`])/i,
    places: /^(?:at|by|from|in|inside|into|of|on|see|to|under|via|with|within)\b/i,
  },
  {
    verb: /\b(?:append(?:s|ing)?|emits?|generat(?:e|es|ing)|outputs?|produc(?:e|es|ing)|sav(?:e|es|ing)|writ(?:e|es|ing))\b(?=$|[*_(:"'`])/i,
    places: /^(?:at|by|for|from|in|inside|of|on|see|under|via|with|within)\b/i,
  },
  {
    verb: /\b(?:emitted|generated|produced|saved|stored|written)\b(?=$|[*_(:"'`])/i,
    places: /^(?:by|from|see|using|via|with)\b/i,
  },
]
/** Most words between what makes something and that thing. */
const MOST_BETWEEN = 3
/** What is built ends up in what comes next. */
const LANDS = new RegExp(
  String.raw`\b(?:(?:bundled|compiled|transpiled) (?:down )?(?:in)?to|(?:end(?:s|ed)? up|lands?|landed) (?:at|in|inside|under))${GAP}*$`,
  'i',
)
/** Somebody is told to write down what comes about in what comes next, and makes it where it is not there. */
const RECORDED = new RegExp(
  String.raw`(?:^|[.,:;!?*\u2013\u2014-]\s*|\b(?:and|must|please|should|then)\s+)(?:maintain|record)(?: [\w-]+){1,8} (?:at|in|inside|under)${GAP}*$`,
  'i',
)
/** The same in Chinese, where a statement would lack both the word that turns things into something and the direction. */
const RECORDED_CHINESE = new RegExp(
  String.raw`(?:[将把][^\u3002\uff1b\uff0c;]{0,60}(?:保存|写|存放|存储|输出|记录|维护|整理|导出|归档)在|(?:保存|写|存放|存储|输出|记录|整理|导出|归档)[到至入])(?:\uff1a|\||${GAP})*$`,
)
/** What there may be in a directory is meant, or nothing; not so where it is told what to leave, or when to do something. */
const WHATEVER = new RegExp(
  String.raw`(?:^|[.;:!?])([^.;:!?]*)\b(?:any(?! of\b)|whatever|whichever)\b[^.;:!?]{0,120}\b(?:in|inside|under|within)${GAP}*(?:(?:and|or)${GAP}*)?$`,
  'i',
)
const LIMITS = /\b(?:after|avoid|before|if|never|no|not|when|while|without)\b|n['\u2019]t\b/i
const FILE = /\.\w+$/

/** A thing is made, and what comes next is its name. */
const NAMED_NEW =
  /\b(?:creat(?:e|es|ing)|add|writ(?:e|ing)|generat(?:e|es|ing)|sav(?:e|es|ing))\b(?: [\w-]+){0,4} (?:director(?:y|ies)|documents?|files?|folders?|modules?|pages?|plans?|reports?|scripts?|specs?|tests?) (?:as|at|called|named|to)\W*$|(?:新增|新建|创建|生成)[\s|*_(:"'`]*$/i

/** What comes next is named to say that it is not meant. */
const AVOIDED = new RegExp(
  String.raw`(?:\b(?:avoid|instead of|never|no|not|rather than|without)|n['’]t|❌|✗|🚫)(?:${GAP}+(?:call|run|running|use|using))?(?:${GAP}+(?:an?|the))?${GAP}*$`,
  'i',
)
/** Something is forbidden, and what comes next is what it would be done with. */
const FORBIDDEN =
  /\b(?:do not|don['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|avoid)\b[^.;!?]{0,40}?\b(?:add(?:ing)?|assume|call(?:ing)?|commit(?:ting)?|creat(?:e|ing)|depend on|expect|import(?:ing)?|install|introduc(?:e|ing)|invent|look (?:for|in)|plac(?:e|ing)|put|referenc(?:e|ing)|reintroduc(?:e|ing)|rely on|run(?:ning)?|us(?:e|ing))\b([^.;!?]*)$/i
const TURNS = /\b(?:but|instead|prefer|rather|see|use|run)\b/i

const EXAMPLE = new RegExp(String.raw`\b(?:such as|like|e\.g\.,?|for example,?|for instance,?)${GAP}*$`, 'i')
/** An enumeration of examples that has not ended. */
const EXAMPLES = /\b(?:such as|e\.g\.|for example|for instance|examples?\b[^.;:]{0,40}[:\u2014\uff1a])[^.;()]{0,200}$/i
const EXAMPLE_LINE = /^\W*(?:\w[\w-]* (?:-+ ?)?){0,3}examples?\b/i
const EXAMPLE_HEADING = /\b(?:examples?|naming|samples?)\b/i
/** How something is to be called, whether or not there ever was one. */
const NAMING =
  /\b(?:convention|format|nam(?:e|ed|es|ing)|pattern)s?\b[^.;]{0,60}\b(?:like|such as|e\.g\.,?|examples?:?)\W*$|\bnaming\b[^.;]{0,60}$/i

/** What is cited, which is not what the line says: code, destinations of links. */
const CITED = /`[^`]*`|\]\([^()]*\)|\]:[ \t]*\S+|(?:^|\s)@\S+/g
/** The text of the link whose destination comes next. */
const LINK_TEXT = /!?\[[^[\]]*\]\([ \t]*<?$/

/** Characters of a block that are read for what it says, and of what stands before a reference. */
const LONGEST = 2000
const LONGEST_BEFORE = 400

/** What became of something that is not there, by the words around its mention. In doubt the first rule counts. */
export function citationState(mention: Mention): State {
  const { reference, surroundings, wasThere } = mention
  const words = reference.kind === 'command' ? wordsOfCommand(mention) : wordsAround(mention)
  if (isPast(words) || surroundings.task?.isDone) return 'moved'
  if (surroundings.isNested || isNotMeant(words) || isWhatever(reference, words)) return 'example'
  if (PLANNED.test(words.block) || isUnmade(words.before)) return 'planned'
  if (!wasThere && isPlanned(words, surroundings)) return 'planned'
  return isExampleGiven(words, wasThere) ? 'example' : 'dead'
}

function wordsAround({ reference, surroundings }: Mention): Words {
  const { before, after, leads, headings } = surroundings
  const own = reference.around.slice(0, LONGEST)
  const start = `${before} ${reference.before}`.slice(-LONGEST_BEFORE).replace(LINK_TEXT, '')
  return { before: start, block: `${before} ${own} ${after}`.replace(CITED, ' ').replace(/\s+/g, ' '), leads, headings }
}

/** Of a line in a shell only its comment says anything; and what stands before it, or before the fence. */
function wordsOfCommand({ reference, surroundings: { leads, headings } }: Mention): Words {
  return { before: '', block: /\s#(.*)/.exec(reference.around.slice(0, LONGEST))?.[1] ?? '', leads, headings }
}

function isPast({ before, block, leads, headings }: Words): boolean {
  if (PAST.test(block) || OLD.test(before.replace(CITED, ' '))) return true
  return leads.some((lead) => PAST_LEAD.test(lead)) || headings.some((heading) => PAST_HEADING.test(heading))
}

function isNotMeant({ before, block, leads, headings }: Words): boolean {
  if (AVOIDED.test(before) || CONDITIONAL.test(block) || isForbidden(before.replace(CITED, ' '))) return true
  if (leads.some((lead) => WRONG.test(lead) && !CHANGES.test(lead))) return true
  return [block, ...leads, ...headings].some((words) => FOREIGN.test(words))
}

function isWhatever({ cited }: Reference, { before }: Words): boolean {
  const start = WHATEVER.exec(before.replace(CITED, ' '))?.[1]
  return start !== undefined && !FILE.test(cited) && !LIMITS.test(start)
}

function isForbidden(before: string): boolean {
  const after = FORBIDDEN.exec(before)?.[1]
  return after !== undefined && !TURNS.test(after)
}

function isPlanned({ before, leads, headings }: Words, { task }: CitationSurroundings): boolean {
  if (RECORDED.test(before) || RECORDED_CHINESE.test(before)) return true
  if (task && !TASK_ON_OLD.test(task.text)) return true
  return leads.some((lead) => PLANNED_LEAD.test(lead)) || headings.some((heading) => PLANNED_HEADING.test(heading))
}

function isExampleGiven({ before, block, leads, headings }: Words, wasThere: boolean): boolean {
  if (NAMING.test(before.replace(CITED, ' '))) return true
  if (wasThere) return false
  if (EXAMPLE.test(before) || EXAMPLES.test(before.replace(CITED, ' ')) || EXAMPLE_LINE.test(block)) return true
  return leads.some((lead) => EXAMPLE_HEADING.test(lead)) || headings.some((heading) => EXAMPLE_HEADING.test(heading))
}

/** Whether what comes next is yet to be made. */
function isUnmade(before: string): boolean {
  return NAMED_NEW.test(before) || LANDS.test(before) || MAKERS.some((maker) => isMade(before.split(/\s+/), maker))
}

/** Looks for what makes something back from the end, past a few words none of which is a place. */
function isMade(words: readonly string[], { verb, places }: (typeof MAKERS)[number]): boolean {
  let between = 0
  for (const word of words.toReversed()) {
    const made = verb.exec(word)
    const after = made ? word.slice(made.index + made[0].length) : word
    const bare = after.replace(MARKS, '')
    if (places.test(bare)) return false
    if (bare !== '') between += 1
    if (between > MOST_BETWEEN) return false
    if (made) return true
  }
  return false
}
