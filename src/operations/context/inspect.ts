import type { CheckAnswer } from '../../context/answers.ts'
import { requestNotices } from '../../context/places.ts'
import { PROFILE_NAMES } from '../../context/profiles.ts'
import { type LedgerRow, listShownRows } from '../../core/ledger.ts'
import { checkAnswer, type DiffAnswer, diffAnswer, explainAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation, inputs, offByDefault } from '../schema.ts'

const { anyPlace, place, budget, touched, task, profile, tokens, home } = inputs

const NO_CONTEXT = 'There is no context here: no instruction file and no .context/. "ambit init" writes skeletons.\n'

/** Operations that inspect the files of a place. */
export const inspection = {
  explain: defineOperation({
    name: 'explain',
    summary: 'Show which files were considered, what happened to each, and why',
    effect: 'read',
    positional: ['place'],
    examples: {
      'ambit explain': 'show what was kept, cut and left out here',
      'ambit explain --why-not docs/AGENTS.md': 'say why a file is not in the context',
    },
    tool: {
      name: 'explain_context',
      set: 'context',
      about: 'The files considered for a place, and why each is, or is not, in its context',
      inputs: {
        place: 'as in load_context',
        whyNot: 'a file to explain',
        touched: 'paths you touch',
        task: 'as in load_context',
        budget: 'token limit',
        profile: 'as in load_context',
      },
    },
    inputs: {
      place: anyPlace,
      whyNot: {
        is: 'path',
        path: 'disk',
        under: 'place',
        placeholder: 'FILE',
        description: 'say why this file is, or is not, in the context',
      },
      budget,
      touched,
      task,
      profile,
      tokens,
      home,
      withContextDir: offByDefault('include the context directory at the root of a collection or package, too'),
    },
    output: explainAnswer,
    run: (engine, request, run) => engine.explain(request, run),
    notices: (answer) => requestNotices(answer),
    text: ({ whyNot, contextDir, ledger, tokenCount, budget }) => {
      if (whyNot) return `${oneLine(whyNot.path)}\n${oneLine(whyNot.answer)}\n`
      const rows = listShownRows({ contextDir, ledger })
      const emptyNote = rows.length === 0 ? NO_CONTEXT : ''
      return `${emptyNote}${rows.map(ledgerLine).join('')}${tokenCount}${budget === null ? '' : ` of ${budget}`} tokens\n`
    },
    failed: ({ whyNot }) => whyNot?.isThere === false,
  }),

  check: defineOperation({
    name: 'check',
    summary: 'Find stale references in context files (paths, commands, anchors), oversized files and hidden text',
    effect: 'read',
    positional: ['place'],
    examples: {
      'ambit check':
        'check the context files of this project; exit code 1 when something is dead, hidden, missing or too large',
      'ambit check --sarif > ambit.sarif': 'write a report for code scanning',
    },
    inputs: {
      place,
      budget: { is: 'integer', minimum: 1, description: 'report files larger than this, in tokens; default 8000' },
      profile: {
        ...profile,
        description: `check the files that this agent loads (${PROFILE_NAMES.join(', ')}), or use a profile in a YAML file; default those of every agent`,
      },
      home,
      sarif: offByDefault('print a SARIF log for code scanning'),
    },
    output: checkAnswer,
    run: async (engine, { sarif, ...request }, run) => {
      const answer = await engine.check(request, run)
      return sarif ? { ...answer, sarif: await engine.sarif(answer) } : answer
    },
    text: ({ findings, checked, sarif }) => {
      if (sarif) return `${JSON.stringify(sarif, null, 2)}\n`
      const expectedFindings = findings.filter(({ kind }) => kind === 'planned' || kind === 'example')
      const reportedFindings = findings.filter((finding) => !expectedFindings.includes(finding))
      const noteCount = reportedFindings.filter(({ severity }) => severity === 'note').length
      const noteText = noteCount === 0 ? '' : ` and ${countNoun(noteCount, 'note')}`
      const text = `${reportedFindings.map(findingLine).join('')}${countNoun(reportedFindings.length - noteCount, 'finding')}${noteText} in ${countNoun(checked, 'file')}\n`
      return expectedFindings.length === 0 ? text : `${text}${expectedText(expectedFindings)}\n`
    },
    failed: ({ findings }) => findings.some(({ severity }) => severity !== 'note'),
  }),

  diff: defineOperation({
    name: 'diff',
    summary: 'Show which rules of a project each agent misses, and how to fix that',
    effect: 'read',
    positional: ['place'],
    examples: { 'ambit diff --profile claude,codex': 'show what one agent loads and the other does not' },
    inputs: {
      place,
      profile: {
        is: 'path',
        path: 'profile',
        placeholder: 'NAMES',
        description:
          'the agents to compare, or files with a profile, separated by commas; default the agents with files here or in your home directory, else claude,codex',
      },
      check: offByDefault('end with 1 if an agent misses a rule'),
      strict: offByDefault('leave out files that .gitignore excludes, as Ambit does when it loads for an agent'),
      touched,
      home,
    },
    output: diffAnswer,
    run: (engine, { profile, check: _, ...request }, run) => {
      const profiles = profile?.split(',').flatMap((name) => name.trim() || [])
      return engine.diff({ ...request, profiles }, run)
    },
    notices: (answer) => requestNotices(answer),
    failed: ({ agents }, input) => input?.check === true && agents.some(({ missing }) => missing.length > 0),
    text: ({ agents, profiles, files, unusedTools = [] }) => {
      const names = profiles.map(({ name }) => name)
      const rows = files.map(({ title, seen }) => [oneLine(title), ...names.map((name) => cellText(seen[name]))])
      const table = [['file', ...names], ...rows].map((row) => `${row.join('\t')}\n`).join('')
      const unused = unusedTools.length > 0 ? [unusedToolsText(unusedTools)] : []
      return [...agents.map(agentText), ...(rows.length > 0 ? [table] : []), ...unused].join('\n')
    },
  }),
}

function ledgerLine({ decision, title, tokensAfter, tokensBefore, why, detail }: LedgerRow): string {
  const reason = oneLine([why, detail].filter(Boolean).join(': '))
  return `${decision}\t${tokensAfter}/${tokensBefore}\t${oneLine(title)}${reason && `\t${reason}`}\n`
}

/** A line with the number of missing references that are planned or examples. `--json` lists them. */
function expectedText(findings: CheckAnswer['findings']): string {
  const plannedCount = findings.filter(({ kind }) => kind === 'planned').length
  const exampleCount = findings.length - plannedCount
  const counts = [plannedCount > 0 && `${plannedCount} planned`, exampleCount > 0 && countNoun(exampleCount, 'example')]
  return `Also cited but missing: ${counts.filter(Boolean).join(', ')} (--json lists them)`
}

/** Escapes line breaks in names: a second line could look like a finding or a command of a CI system. */
function findingLine({ path, line = 1, severity, rule, message }: CheckAnswer['findings'][number]): string {
  return `${oneLine(`${path}:${line}: ${severity}: ${message} [${rule}]`)}\n`
}

/** The lines of an agent. If consecutive rules have the same fix, it is shown once, below the last of them. */
function agentText({ agent, missing }: DiffAnswer['agents'][number]): string {
  const lines = missing.map(({ title, reason, mend }, at) => {
    const mendLine = missing[at + 1]?.mend === mend ? '' : `    ${oneLine(mend)}\n`
    return `  ${oneLine(title)}: ${oneLine(reason)}\n${mendLine}`
  })
  return `${agent}  ${missing.length === 0 ? 'complete' : `missing ${missing.length}`}\n${lines.join('')}`
}

function unusedToolsText(names: readonly string[]): string {
  const why = `Not compared: ${names.join(', ')}. They have no files here or in your home directory.`
  return `${why}\nTo compare agents anyway, name them: ambit diff --profile ${names.slice(0, 2).join(',')}\n`
}

function cellText(seen: DiffAnswer['files'][number]['seen'][string] | undefined): string {
  if (!seen) return '-'
  return seen.decision === 'left' ? `${seen.why}` : `${seen.tokensAfter}${seen.decision === 'kept' ? '' : ' (cut)'}`
}
