import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AgentName, hookBytes } from '../../../src/core/choices.ts'
import { HOOK_AGENTS } from '../../../src/surfaces/hook/agents.ts'
import { Stage } from './player.ts'
import { PROTOCOLS, type Spot } from './protocols.ts'

const NAMES = Object.keys(HOOK_AGENTS).filter((name): name is AgentName => name in PROTOCOLS)

const ROOT = '# Project\n\nThe build is run by make.\n'
const NESTED = '# Package\n\nTabs, not spaces.\n'
const EDITED = '# Package\n\nSpaces, not tabs.\n'
const CONVENTIONS = '# Conventions\n\n- Errors have codes.\n'
const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'AGENTS.md': ROOT,
  'CLAUDE.md': '# Only for Claude\n',
  'packages/a/AGENTS.md': NESTED,
  'packages/a/src/x.ts': 'export const x = 1\n',
  'packages/a/src/y.ts': 'export const y = 1\n',
  '.context/CONVENTIONS.md': CONVENTIONS,
}

/** Tools that read the root's AGENTS.md by themselves; Claude Code does not beside a CLAUDE.md, Gemini CLI not unless told to. */
const READS_ROOT: readonly AgentName[] = NAMES.filter((name) => name !== 'claude' && name !== 'gemini')

let stage: Stage

beforeEach(() => {
  stage = new Stage()
  for (const [name, text] of Object.entries(FILES)) put(name, text)
})

afterEach(() => stage.close())

function put(name: string, text: string): void {
  mkdirSync(dirname(stage.at(name)), { recursive: true })
  writeFileSync(stage.at(name), text)
}

type Shown = readonly [name: string, text: string, update?: string]

/** What the model sees of these files, byte for byte. */
function shown(agent: AgentName, files: readonly Shown[]): string {
  if (files.length === 0) return ''
  const parts = files.map(([name, text, update]) => {
    if (agent === 'gemini') {
      return `## ${stage.at(name)}${update === undefined ? '' : ` – ${update}`}\n\n\`\`\`markdown\n${text}\`\`\`\n`
    }
    const attribute = update === undefined ? '' : ` update="${update}"`
    return `<context filename="${stage.at(name)}"${attribute}>\n${text}\n</context>\n`
  })
  return `Project context, loaded by Ambit from files that apply here:\n${parts.join('')}`
}

const REPLACES = 'replaces the version sent before'

describe.each(NAMES)('%s', (agent) => {
  const protocol = PROTOCOLS[agent]
  const spot = (session = 's1'): Spot => ({ cwd: stage.project, session })
  const start: readonly Shown[] = [
    ...(READS_ROOT.includes(agent) ? [] : [['AGENTS.md', ROOT] as const]),
    ['.context/CONVENTIONS.md', CONVENTIONS],
  ]
  const nested: Shown = ['packages/a/AGENTS.md', NESTED]

  /** What the model sees after an event. */
  async function sees(event: object): Promise<string> {
    const { code, out, err } = await stage.answer([agent], event)
    expect([code, err]).toEqual([0, ''])
    return out === '' ? '' : String(protocol.text(out))
  }

  it('gives at the start what the tool does not load itself, and nothing of it again', async () => {
    expect(await sees(protocol.start(spot(), 'startup'))).toBe(shown(agent, start))
    if (protocol.prompt) expect(await sees(protocol.prompt(spot()))).toBe('')
    expect(await sees(protocol.shell(spot(), 'ls -l'))).toBe('')
  })

  it('gives what applies to a place when a command first names it, once', async () => {
    await sees(protocol.start(spot(), 'startup'))
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe(shown(agent, [nested]))
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe('')
    expect(await sees(protocol.shell(spot(), `cd packages/a && cat src/y.ts`))).toBe('')
    if (protocol.read) expect(await sees(protocol.read(spot(), stage.at('packages/a/src/y.ts')))).toBe('')
  })

  it('gives it when a file there is read, unless the tool does so itself', async () => {
    if (!protocol.read) return
    await sees(protocol.start(spot(), 'startup'))
    expect(await sees(protocol.read(spot(), stage.at('packages/a/src/x.ts')))).toBe(shown(agent, [nested]))
  })

  it('gives a file that was edited in place of what it was, once', async () => {
    await sees(protocol.start(spot(), 'startup'))
    await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    put('packages/a/AGENTS.md', EDITED)
    const next = () => protocol.prompt?.(spot()) ?? protocol.shell(spot(), 'cat packages/a/src/x.ts')
    expect(await sees(next())).toBe(shown(agent, [['packages/a/AGENTS.md', EDITED, REPLACES]]))
    expect(await sees(next())).toBe('')
  })

  it('says of a file that is gone that it does not apply any more', async () => {
    if (!protocol.prompt) return
    await sees(protocol.start(spot(), 'startup'))
    await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    rmSync(stage.at('packages/a/AGENTS.md'))
    const gone = ['packages/a/AGENTS.md', 'The text sent before is out of date.', 'no longer applies'] as const
    expect(await sees(protocol.prompt(spot()))).toBe(
      shown(agent, [agent === 'gemini' ? [gone[0], `${gone[1]}\n`, gone[2]] : gone]),
    )
    expect(await sees(protocol.prompt(spot()))).toBe('')
  })

  it('gives all of it again after a compaction, and what is nested when it is touched again', async () => {
    await sees(protocol.start(spot(), 'startup'))
    await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    const told = await sees(protocol.compacted(spot()))
    expect(told === '' ? await sees(protocol.shell(spot(), 'ls -l')) : told).toBe(shown(agent, start))
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe(shown(agent, [nested]))
  })

  it('gives nothing again when a session is resumed, but what changed meanwhile', async () => {
    if (agent === 'vscode' || agent === 'cursor' || agent === 'kiro') return
    await sees(protocol.start(spot(), 'startup'))
    await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    // What a tool forgets of its start it is given again.
    const again = 'forgets' in HOOK_AGENTS[agent] ? start : []
    expect(await sees(protocol.start(spot(), 'resume'))).toBe(shown(agent, again))
    put('packages/a/AGENTS.md', EDITED)
    const told = await sees(protocol.start(spot(), 'resume'))
    const changed = shown(agent, [...again, ['packages/a/AGENTS.md', EDITED, REPLACES]])
    expect(told === '' ? await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts')) : told).toBe(changed)
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe('')
  })

  it('tells each session apart', async () => {
    await sees(protocol.start(spot('s1'), 'startup'))
    expect(await sees(protocol.start(spot('s2'), 'startup'))).toBe(shown(agent, start))
  })

  it('gives a subagent its own, which the main agent has already', async () => {
    if (!protocol.subagent) return
    const below: Spot = { ...spot(), subagent: 'a1' }
    await sees(protocol.start(spot(), 'startup'))
    await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    expect(await sees(protocol.subagent(below))).toBe(shown(agent, start))
    expect(await sees(protocol.shell(below, 'cat packages/a/src/x.ts'))).toBe(shown(agent, [nested]))
    expect(await sees(protocol.shell(below, 'cat packages/a/src/x.ts'))).toBe('')
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe('')
  })

  it('never gives more than the tool hands on whole, and says where the rest is', async () => {
    const long = `# Long\n\n${Array.from({ length: 2000 }, (_, at) => `- Rule ${at} of many, “quoted”.\n`).join('')}`
    put('.context/CONSTITUTION.md', long)
    put('packages/a/AGENTS.md', long.replace('Long', 'Long, too'))
    const cap = hookBytes(agent)
    const whole = await sees(protocol.start(spot(), 'startup'))
    const below = await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))
    for (const text of [whole, below]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(cap)
      expect(Buffer.byteLength(text)).toBeGreaterThan(cap / 2)
      expect(text).toContain('[truncated]')
      expect(text).toContain('Cut to fit.')
    }
    expect(await sees(protocol.shell(spot(), 'cat packages/a/src/x.ts'))).toBe('')
  })
})
