import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { CheckAnswer, Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { counted } from '../../text/counts.ts'
import { array, count, inputs, object, text, words } from '../schema.ts'

const { place, profile, home } = inputs

const input = {
  place,
  budget: { is: 'integer', minimum: 1, description: 'most tokens that one file should take; default 8000' },
  profile,
  home,
  sarif: { is: 'flag', default: false, description: 'print a SARIF log, for code scanning' },
} as const

const finding = () =>
  object({
    rule: text,
    severity: words('error', 'warning', 'note'),
    path: text,
    'line?': count,
    message: text,
    'hint?': text,
  })

/** Looks for what has gone stale in context files. */
export const check: Operation<Engine, InputOf<typeof input>, CheckAnswer & { readonly sarif?: object }> = {
  name: 'check',
  summary: 'Find what has gone stale in context files: paths, commands, anchors, sizes, what is hidden',
  effect: 'read',
  positional: ['place'],
  examples: [
    { command: 'ambit check', does: 'the context files of this tree; exit code 1 when more than notes is found' },
    { command: 'ambit check --sarif > ambit.sarif', does: 'for code scanning' },
  ],
  input: defineInputs(input),
  output: () =>
    object({ place: text, root: text, checked: count, findings: array(finding()), 'sarif?': { type: 'object' } }),
  run: async (engine, { sarif, ...request }, run) => {
    const answer = await engine.check(request, run)
    return sarif ? { ...answer, sarif: await engine.sarif(answer) } : answer
  },
  text: ({ findings, checked, sarif }) => {
    if (sarif) return `${JSON.stringify(sarif, null, 2)}\n`
    const notes = findings.filter(({ severity }) => severity === 'note').length
    const noted = notes === 0 ? '' : ` and ${counted(notes, 'note')}`
    return `${findings.map(line).join('')}${counted(findings.length - notes, 'finding')}${noted} in ${counted(checked, 'file')}\n`
  },
  failed: ({ findings }) => findings.some(({ severity }) => severity !== 'note'),
}

/** A name with a line break must not make a second line, which could look like a finding or a command of a CI system. */
function line({ path, line = 1, severity, rule, message }: CheckAnswer['findings'][number]): string {
  return `${oneLine(`${path}:${line}: ${severity}: ${message} [${rule}]`)}\n`
}
