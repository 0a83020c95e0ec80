import type { CheckAnswer } from '../../context/answers.ts'
import { PROFILE_NAMES } from '../../core/choices.ts'
import { checkAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { defineOperation, inputs } from '../schema.ts'

const { place, profile, home } = inputs

/** Looks for what has gone stale in context files. */
export const checkOperation = defineOperation({
  name: 'check',
  summary: 'Find stale references in context files (paths, commands, anchors), oversized files and hidden text',
  effect: 'read',
  positional: ['place'],
  examples: [
    {
      command: 'ambit check',
      does: 'check the context files of this project; exit code 1 when something is dead, hidden, missing or too large',
    },
    { command: 'ambit check --sarif > ambit.sarif', does: 'write a report for code scanning' },
  ],
  inputs: {
    place,
    budget: { is: 'integer', minimum: 1, description: 'report files larger than this, in tokens; default 8000' },
    profile: {
      ...profile,
      description: `check the files that this tool loads (${PROFILE_NAMES.join(', ')}), or use a profile in a YAML file; default those of every tool`,
    },
    home,
    sarif: { is: 'flag', default: false, description: 'print a SARIF log for code scanning' },
  },
  output: checkAnswer,
  run: async (engine, { sarif, ...request }, run) => {
    const answer = await engine.check(request, run)
    return sarif ? { ...answer, sarif: await engine.sarif(answer) } : answer
  },
  text: ({ findings, checked, sarif }) => {
    if (sarif) return `${JSON.stringify(sarif, null, 2)}\n`
    const silent = findings.filter(({ kind }) => kind === 'planned' || kind === 'example')
    const reported = findings.filter((finding) => !silent.includes(finding))
    const notes = reported.filter(({ severity }) => severity === 'note').length
    const noted = notes === 0 ? '' : ` and ${countNoun(notes, 'note')}`
    const shown = `${reported.map(findingLine).join('')}${countNoun(reported.length - notes, 'finding')}${noted} in ${countNoun(checked, 'file')}\n`
    return silent.length === 0 ? shown : `${shown}${unmeant(silent)}\n`
  },
  failed: ({ findings }) => findings.some(({ severity }) => severity !== 'note'),
})

/** What is cited and need not be there is counted: who wants to see it asks for JSON. */
function unmeant(findings: CheckAnswer['findings']): string {
  const planned = findings.filter(({ kind }) => kind === 'planned').length
  const examples = findings.length - planned
  const parts = [
    ...(planned > 0 ? [`${planned} planned`] : []),
    ...(examples > 0 ? [countNoun(examples, 'example')] : []),
  ]
  return `Also cited but missing: ${parts.join(', ')} (--json lists them)`
}

/** A name with a line break must not make a second line, which could look like a finding or a command of a CI system. */
function findingLine({ path, line = 1, severity, rule, message }: CheckAnswer['findings'][number]): string {
  return `${oneLine(`${path}:${line}: ${severity}: ${message} [${rule}]`)}\n`
}
