import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ambit, PROJECT, startAmbit } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const event = (cwd: string, more: object = {}) =>
  JSON.stringify({ session_id: 's', cwd, hook_event_name: 'SessionStart', source: 'startup', ...more })

const call = (cwd: string) =>
  event(cwd, { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'cat pkg/api/server.ts' } })

describe('ambit hook', () => {
  it('tells a session what applies, once', () => {
    using at = tree(PROJECT)
    const { status, stdout, stderr } = ambit(['hook', 'codex'], { cwd: at.base, input: event(at.base) })
    expect([status, stderr]).toEqual([0, ''])
    const { hookSpecificOutput: answer } = JSON.parse(stdout)
    expect(answer.hookEventName).toBe('SessionStart')
    expect(answer.additionalContext).toContain('Never log a password.')
    expect(answer.additionalContext).not.toContain('Tests first.')
    expect(ambit(['hook', 'codex'], { cwd: at.base, input: call(at.base) }).stdout).toContain('Check the token.')
    expect(ambit(['hook', 'codex'], { cwd: at.base, input: call(at.base) }).stdout).toBe('')
    expect(existsSync(at.at('.local/state/ambit/sessions/codex'))).toBe(true)
    expect(existsSync(at.at('.local/share'))).toBe(false)
  })

  it('tells the same once, however many hooks of it run at once', async () => {
    using at = tree(PROJECT)
    ambit(['hook', 'codex'], { cwd: at.base, input: event(at.base) })
    const answers = await Promise.all(Array.from({ length: 8 }, () => answered(at.base, call(at.base))))
    expect(answers.filter(({ stdout }) => stdout !== '')).toHaveLength(1)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 0))
  })

  it('waits for no tool that leaves its end of stdin open', async () => {
    using at = tree(PROJECT)
    const { status, stdout } = await answered(at.base, event(at.base), { isOpen: true })
    expect([status, stdout.includes('Never log a password.')]).toEqual([0, true])
  })

  it.each([
    ['an agent that is unknown', ['hook', 'hal'], 2, /There is no agent "hal"\.\nThe agents are claude, /],
    ['an agent called like what all objects have', ['hook', '__proto__'], 2, /There is no agent "__proto__"/],
    ['no agent', ['hook'], 2, /The name of the agent is missing/],
    ['no event', ['hook', 'claude'], 0, /^ambit hook: the input is not an event\.\n$/],
  ])('of %s says so on stderr alone', (_, args, code, text) => {
    using at = tree(PROJECT)
    const { status, stdout, stderr } = ambit(args, { cwd: at.base })
    expect([status, stdout]).toEqual([code, ''])
    expect(stderr).toMatch(text)
  })

  it('reads no more of an event than it can take', () => {
    using at = tree(PROJECT)
    const input = event(at.base, { prompt: 'x'.repeat(17 * 1024 * 1024) })
    const { status, stdout } = ambit(['hook', 'claude'], { cwd: at.base, input })
    expect([status, stdout]).toEqual([0, ''])
  })

  it('says more when it is debugged', () => {
    using at = tree(PROJECT)
    const input = event('/etc')
    const { status, stderr } = ambit(['hook', 'claude'], { cwd: at.base, input, env: { AMBIT_DEBUG: '1' } })
    expect(status).toBe(0)
    expect(stderr).toMatch(/^ambit hook: .*\n.*Error: .*\n +at /)
  })

  it('is what init makes of the settings, and is gone with them', () => {
    using at = tree(PROJECT)
    expect(ambit(['init', '--agent', 'gemini', '--write'], { cwd: at.base }).stdout).toMatch(
      /^written: .*settings\.json/,
    )
    expect(ambit(['init', '--agent', 'gemini', '--remove', '--write'], { cwd: at.base }).stdout).toMatch(/^removed: /)
    expect(existsSync(at.at('.gemini/settings.json'))).toBe(false)
  })
})

function answered(cwd: string, input: string, { isOpen = false } = {}) {
  const { child, ended } = startAmbit(['hook', 'codex'], { cwd })
  child.stdin.on('error', () => {})
  child.stdin.write(input)
  if (!isOpen) child.stdin.end()
  return ended
}
