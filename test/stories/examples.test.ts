import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../source-files.ts'

/** Runs an example as its README says. */
function example(name: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`examples/${name}/main.ts`], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { status, stdout, stderr: stderr.replace(/^\(node:\d+\) ExperimentalWarning.*\n.*\n/m, '') }
}

describe('examples', () => {
  it('load: the smaller budget keeps the constitution and the open tasks, and says what it cut', () => {
    const { status, stdout, stderr } = example('load')
    expect([status, stderr]).toEqual([0, ''])
    const [, whole = '', cut = ''] = stdout.split('--- budget')
    expect(whole).toContain('- [x] Write the parser\n- [ ] Handle empty input')
    expect(cut).toContain('- Never log a password.')
    expect(cut).toMatch(/truncated +Current Tasks over-budget|outline +Current Tasks over-budget/)
  })

  it('agent-loop: the prompt grows by what a touched file brings in, once', () => {
    const { status, stdout, stderr } = example('agent-loop')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/<context filename=".*">/g)).toEqual([
      '<context filename="AGENTS.md">',
      '<context filename="packages/api/AGENTS.md">',
    ])
    expect(stdout).toContain('step 2, epoch 1, touched packages/api/routes.ts, sent:\n(nothing new)')
  })
})
