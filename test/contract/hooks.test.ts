import { expect, it } from 'vitest'
import { AGENT_NAMES } from '../../src/core/choices.ts'
import { HOOK_AGENTS } from '../../src/surfaces/hook/agents.ts'
import { hook } from '../../src/surfaces/hook/hook.ts'
import { PROTOCOLS } from '../surfaces/hook/protocols.ts'

/* What each event of each agent asks for, and how the answer is written. */

/** Readers by name: each is shown whole once. */
const readers = new Map<string, string>()

/** The request that an event makes, without what is empty, and what the agent gets for `TEXT`; or why there is none. */
async function recordHook(agent: string, event: unknown, said: Partial<Parameters<typeof hook>[0]> = {}) {
  const lines: string[] = []
  let opened = 0
  const code = hook({
    agent,
    debug: false,
    async open() {
      opened++
      return {
        async reach({ variable, reader, ...request }) {
          const whole = JSON.stringify(reader)
          if (readers.get(reader.name) !== whole) lines.push(whole)
          readers.set(reader.name, whole)
          const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)
          const shown = { reader: reader.name, ...request, variable: variable('HOME') }
          lines.push(JSON.stringify(shown, (_, value) => (isEmpty(value) ? undefined : value)))
          if (request.cwd === '/') throw new RangeError('Not\nhere.')
          return request.cwd === '/nothing' ? '' : 'TEXT'
        },
        close: async () => void opened--,
      }
    },
    input: async () => (typeof event === 'object' ? JSON.stringify(event) : event?.toString()),
    out: { write: (text) => void lines.push(`out: ${text.trimEnd()}`) },
    err: { write: (text) => void lines.push(`err: ${text.replaceAll(/\n +at .*|\n$/g, '')}`) },
    ...said,
  }).catch((error) => `${error.name}: ${error.message} ${error.hint}`)
  if ((await code) !== 0) lines.push(String(await code))
  if (opened !== 0) lines.push('It is left open.')
  return lines.join('\n') || 'nothing'
}

const SPOT = { cwd: '/w', session: 's' }
const EVENT = { session_id: 's', cwd: '/w', hook_event_name: 'PostToolUse' }

/** Inputs of tools, with what they answered. */
const CALLS: readonly object[] = [
  ...['Read', 'read_file', 'view', 'Write', 'Edit', 'NotebookRead', 'list_directory', 'fs_write', 'cat'].map(
    (tool_name) => ({ tool_name, tool_input: { file_path: 'a.ts' } }),
  ),
  { tool_name: 'Read', tool_input: { file_path: 'a.ts', Offset: 3 } },
  { tool_name: 'x', tool_input: { PATHS: ['a', { path: 'b' }, 7, null], files: { path: 'c' }, other: 'd' } },
  { tool_name: 'x', tool_input: { target_directory: 'a', dir_path: 'b' }, tool_response: 'c/d.ts' },
  { tool_name: 'x', tool_input: { patch: '--- a/x.ts\n+++ b/y.ts\n', diff: ['*** Add File: z.ts'] } },
  { tool_name: 'bash', tool_input: { command: ['cat', 'a b'], cwd: ['/x', '/y'] }, tool_response: 'c/d.ts' },
  { tool_name: 'bash', tool_input: { commands: ['ls', 'cat a'], dir_path: 'sub' }, result: ['c', { d: 'e' }] },
  {
    tool_name: 'bash',
    tool_input: { command: 'ls' },
    tool_response: '{"a":"b","c":["d",null,{"e":"f"}]}',
    output: '{',
  },
  ...['Glob', 'mcp__x__glob', 'ls', 'list', 'lsx', 'codebase_search', 'search', 'find_it'].map((tool_name) => ({
    tool_name,
    tool_response: { a: 'b.ts' },
  })),
  { tool_name: 'ls', tool_response: 'x'.repeat(70_000), output: 'never' },
  { tool_name: 'ls', tool_response: 'x'.repeat(65_534), output: 'never' },
  { tool_name: 'ls', tool_response: 'x'.repeat(65_535), output: 'never' },
  { toolName: 'bash', toolArgs: '{"command":"ls"}' },
  { toolName: 'bash', toolArgs: '{"command":', args: { command: 'pwd' } },
  { tool_name: '', tool: 'ls', tool_input: null, parameters: { path: 'p' } },
]

/** Events of other shapes. */
const OTHERS: readonly unknown[] = [
  ...['', '[]', 'null', '7', '{'],
  { cwd: '/w', hook_event_name: 'SessionStart' },
  { session_id: 's', hook_event_name: 'SessionStart' },
  { session_id: { a: 1 }, cwd: '/', hook_event_name: 'SessionStart' },
  { session_id: '', sessionId: 't', cwd: [], workspace_roots: ['/r'], event: 'SessionStart' },
  { taskId: 't', workspaceRoots: ['/r'], hookName: 'TaskStart' },
  { sessionID: 's', cwd: '/w', prompt: 'do', source: 'new', trigger: 'auto' },
  { sessionID: 's', cwd: '/w', source: 'new', trigger: 'manual' },
  { sessionID: 's', cwd: '/w', source: 'resume' },
  { sessionID: 's', cwd: '/w', agentName: 'Explore', subagent_id: 'a', toolArgs: {} },
  { sessionID: 's', cwd: '/w', toolName: 'view', agentName: 'x' },
  { sessionID: 's', cwd: '/w' },
  { sessionID: 's', cwd: '/', source: 'new' },
  { sessionID: 's', cwd: '/nothing', source: 'new' },
  { session_id: 's', cwd: '/w', hook_event_name: 'PreCompress', trigger: 'auto' },
]

const CLINE = { clineVersion: '3', taskId: 't', workspaceRoots: ['/w'], hookName: 'tool_result', agent_id: 'a' }

it('these events of each agent ask for this, and are answered so', async () => {
  const shown: string[] = []
  const add = async (title: string, ...call: Parameters<typeof recordHook>) =>
    void shown.push(`# ${title}`, await recordHook(...call))
  for (const agent of AGENT_NAMES) {
    const { start, prompt, shell, read, compacted, subagent } = PROTOCOLS[agent]
    const events = {
      start: start(SPOT, 'startup'),
      resume: start(SPOT, 'resume'),
      prompt: prompt?.(SPOT),
      shell: shell(SPOT, 'cat a.ts'),
      read: read?.(SPOT, '/w/a.ts'),
      compacted: compacted(SPOT),
      subagent: subagent?.({ ...SPOT, subagent: 'a' }),
    }
    for (const [title, event] of Object.entries(events)) if (event) await add(`${agent}, ${title}`, agent, event)
    for (const name of Object.keys(HOOK_AGENTS[agent].events)) {
      const event = { ...EVENT, hook_event_name: undefined, trigger: 'manual', prompt: 'do' }
      await add(`${agent}, ${name}`, agent, event, { event: name, task: true })
    }
  }
  for (const agent of ['claude', 'copilot', 'gemini'])
    for (const event of OTHERS) await add(`${agent}: ${JSON.stringify(event)}`, agent, event)
  for (const call of CALLS)
    await add(JSON.stringify(call).slice(0, 120), 'kiro', { ...EVENT, ...call }).then(() => {
      shown.push((shown.pop() ?? '').replace(/x{99,}/g, (run) => `x × ${run.length}`))
    })
  for (const agent of ['claude', 'vscode', 'copilot', 'cursor'])
    for (const event of [
      { ...EVENT, tool_name: 'Read', cursor_version: '2' },
      { ...EVENT, hook_event_name: undefined, hookEventName: 'PostToolUse', tool_name: 'view' },
      { ...EVENT, hook_event_name: 'SubagentStart', agent_type: 'Plan', agentId: 'b' },
    ])
      await add(`${agent}: ${JSON.stringify(event)}`, agent, event)
  for (const more of [
    { tool_result: { name: 'run', input: { command: 'ls' } }, parent_agent_id: 'p' },
    { tool_call: { name: 'run', input: { path: 'x' } }, postToolUse: { toolName: 'other' } },
    { preToolUse: { toolName: 'read_file', parameters: { path: 'x' } } },
    { postToolUse: '{"toolName":"read_file","parameters":{"path":"y"}}', preToolUse: { toolName: 'z' } },
  ])
    await add(`cline: ${JSON.stringify(more)}`, 'cline', { ...CLINE, ...more })
  for (const agent of ['', 'x\n', 'toString']) await add(`the agent ${JSON.stringify(agent)}`, agent, EVENT)
  await add('too long', 'claude', undefined)
  await add('an error, with its stack', 'claude', { ...EVENT, cwd: '/' }, { debug: true })
  const input = () => Promise.reject('no error')
  await add('an input that fails', 'claude', EVENT, { debug: true, input })
  await add('a variable', 'claude', EVENT, { variable: (name) => `the ${name}` })
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('snapshots/hooks.txt')
})
