import { chmodSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findHookScopes, initPlace } from '../../../src/context/init.ts'
import { AGENT_NAMES, type AgentName } from '../../../src/core/choices.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { checkAgents } from '../../../src/engine/doctor/part-checks.ts'
import { type Project, project } from '../../support/workspace.ts'

let planted: Project
const before = process.cwd()
beforeEach(() => {
  planted = project({})
  process.chdir(planted.root)
})
afterEach(() => {
  process.chdir(before)
  planted[Symbol.dispose]()
})

/** No agent of the machine that the tests run on. */
const none = Object.fromEntries(AGENT_NAMES.map((agent) => [agent, '/nowhere/agent']))

function program(version: string): string {
  const path = planted.file('agent.sh')
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`)
  chmodSync(path, 0o755)
  return path
}

const check = (programs: Partial<Record<AgentName | 'ambit', string>> = {}) =>
  checkAgents({ home: planted.home, file: undefined, unknown: [] }, SILENT, {
    ...none,
    ambit: '/bin/true',
    ...programs,
  })

const wire = (agent: AgentName, scope: 'user' | 'local' | 'project') =>
  initPlace({ place: planted.root, home: planted.home, agent, [scope]: true, write: true })

describe('the doctor on agents', () => {
  it('says that there are none', async () => {
    expect(await check()).toEqual({ status: 'ok', message: 'No coding agent is on the PATH, and no hooks are set.' })
  })

  it('says which is installed, and how its hooks are set', async () => {
    const { status, message, hint } = await check({ codex: program('codex-cli 0.100.0') })
    expect([status, message]).toEqual(['ok', 'codex 0.100.0 has no hooks.'])
    expect(hint).toContain('ambit init --agent')
  })

  it.each([
    ['user', 'all your projects'],
    ['local', 'you in this project'],
    ['project', 'this project'],
  ] as const)('says where its hooks are: %s', async (scope, words) => {
    await wire('claude', scope)
    const { message, hint } = await check({ claude: program('2.1.332 (Claude Code)') })
    expect([message, hint]).toEqual([`claude 2.1.332 has hooks for ${words}.`, undefined])
  })

  it('names both where they are in two', async () => {
    await wire('gemini', 'user')
    await wire('gemini', 'project')
    expect((await check()).message).toBe(
      'gemini has hooks for this project and for all your projects, and is not on the PATH.',
    )
  })

  it('says that hooks do nothing where what they start is not on the PATH', async () => {
    await wire('gemini', 'user')
    expect(await check({ ambit: '/nowhere/ambit' })).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('The hooks do nothing: there is no ambit on the PATH.'),
      hint: expect.stringContaining('Put ambit on the PATH'),
    })
  })

  it('warns of a version that is newer than what was checked', async () => {
    expect(await check({ claude: program('2.2.0 (Claude Code)') })).toMatchObject({
      status: 'warning',
      message: 'claude 2.2.0 has no hooks; Ambit was checked with 2.1.332.',
    })
  })

  it('goes on where a program tells no version', async () => {
    expect((await check({ qwen: program('hello') })).message).toBe('qwen has no hooks.')
    expect((await check({ qwen: '/bin/false' })).message).toBe('qwen has no hooks.')
  })
})

describe('hooks', () => {
  it.each(AGENT_NAMES)('that init has written are known again: %s', async (agent) => {
    const places = { root: planted.root, home: planted.home }
    expect(findHookScopes(places)[agent]).toEqual([])
    await wire(agent, 'project')
    expect(findHookScopes(places)[agent]).toEqual(['project'])
  })

  it('of which one is taken out are not all there', async () => {
    await wire('claude', 'project')
    planted.plant({
      '.claude/settings.json': '{"hooks":{"SessionStart":[{"hooks":[{"command":"ambit hook claude"}]}]}}',
    })
    expect(findHookScopes({ root: planted.root, home: planted.home }).claude).toEqual([])
  })
})
