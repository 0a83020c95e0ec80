/** Published coding agents: their versions, their prompts, and how to run them without a person. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The directories of a run, and its model. */
export interface RunPlace {
  readonly home: string
  readonly project: string
  /** URL of the scripted model. */
  readonly url: string
}

export interface Program {
  /** The agent's name for `ambit hook`. */
  readonly agent: string
  readonly package: string
  readonly version: string
  readonly bin: string
  readonly args: readonly string[]
  /** Arguments that resume the last session with another prompt. Absent if the program cannot resume one. */
  readonly resume?: readonly string[]
  /** Options of `ambit init` that say where to configure the agent. Default: in the project. */
  readonly scope?: readonly string[]
  /** Arguments of a run that sets the program up before the session. */
  readonly setUp?: (place: RunPlace) => readonly string[]
  /** After a resume, the history has each tool result twice. */
  readonly repeatsResults?: true
  /** The program ignores what a hook returns for a prompt, so its model gets code only through `task_context`. */
  readonly dropsPrompts?: true
  /** The program ignores what a hook returns at the start, so the first tool call brings all context. */
  readonly dropsStart?: true
  /** Additional environment for runs that call MCP tools by name. */
  readonly mcpEnv?: Readonly<Record<string, string>>
  readonly env: (place: RunPlace) => Readonly<Record<string, string>>
  /** Files that the program needs before it starts, by their paths in the home directory. */
  readonly settings?: (place: RunPlace) => Readonly<Record<string, string>>
}

/** Tools that Claude Code may call without a person. */
const TOOLS = 'Read,Bash,Glob,Grep,Write,mcp__ambit'

const NEXT = 'Go on.'
const PROMPT = 'Look at packages/a: the function scaleAxis gives wrong widths for charts.'

/** Settings of OpenCode, and of Kilo, with the scripted model. */
function mockProvider(url: string): string {
  const options = { baseURL: `${url}/v1`, apiKey: 'x' }
  const mock = { npm: '@ai-sdk/openai-compatible', name: 'mock', options, models: { mock: { name: 'mock' } } }
  return JSON.stringify({ provider: { mock } })
}

export const PROGRAMS: readonly Program[] = [
  {
    agent: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    bin: 'claude',
    args: ['-p', PROMPT, '--allowedTools', TOOLS],
    resume: ['-c', '-p', NEXT, '--allowedTools', TOOLS],
    mcpEnv: { ENABLE_TOOL_SEARCH: 'false' },
    env: ({ url }) => ({
      ANTHROPIC_API_KEY: 'x',
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  },
  {
    agent: 'codex',
    package: '@openai/codex',
    version: '0.171.0',
    bin: 'codex',
    args: ['exec', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    resume: [
      'exec',
      '--dangerously-bypass-hook-trust',
      '--dangerously-bypass-approvals-and-sandbox',
      'resume',
      '--last',
      NEXT,
    ],
    env: () => ({ MOCK_KEY: 'x' }),
    settings: ({ url, project }) => ({
      '.codex/config.toml': `model = "gpt-5.1-codex"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."${project}"]
trust_level = "trusted"
`,
    }),
  },
  {
    agent: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    args: ['-m', 'gemini-2.5-pro', '--approval-mode', 'yolo', '-p', PROMPT],
    repeatsResults: true,
    resume: ['-m', 'gemini-2.5-pro', '--approval-mode', 'yolo', '--resume', 'latest', '-p', NEXT],
    env: ({ url }) => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    settings: () => ({ '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' }),
  },
  {
    agent: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    bin: 'qwen',
    args: ['--approval-mode', 'yolo', '-p', PROMPT],
    resume: ['--approval-mode', 'yolo', '--continue', '-p', NEXT],
    env: ({ url }) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'mock' }),
    settings: () => ({ '.qwen/settings.json': '{"security":{"auth":{"selectedType":"openai"}}}' }),
  },
  {
    agent: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    bin: 'opencode',
    args: ['run', '-m', 'mock/mock', PROMPT],
    resume: ['run', '-c', '-m', 'mock/mock', NEXT],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_fetch_retries: '0',
    }),
    settings: ({ url }) => ({ '.config/opencode/opencode.json': mockProvider(url) }),
  },
  {
    agent: 'kilo',
    package: '@kilocode/cli',
    // The packages that 7.8.1 needs for Linux are not in the registry.
    version: '7.7.7',
    bin: 'kilo',
    args: ['run', '-m', 'mock/mock', PROMPT],
    resume: ['run', '-c', '-m', 'mock/mock', NEXT],
    env: () => ({
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_TELEMETRY_LEVEL: 'off',
      npm_config_fetch_retries: '0',
    }),
    settings: ({ url }) => ({ '.config/kilo/kilo.json': mockProvider(url) }),
  },
  {
    agent: 'cline',
    package: 'cline',
    version: '3.0.65',
    bin: 'cline',
    args: ['--json', '-P', 'openai-compatible', '-m', 'mock', '-k', 'x', PROMPT],
    // The MCP servers of Cline can be configured for the user only.
    scope: ['--user'],
    dropsPrompts: true,
    dropsStart: true,
    setUp: ({ url }) => ['auth', '-p', 'openai', '-k', 'x', '-m', 'mock', '-b', `${url}/v1`],
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
  },
  {
    agent: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    bin: 'copilot',
    args: ['-p', PROMPT],
    resume: ['--continue', '-p', NEXT],
    dropsPrompts: true,
    env: ({ url }) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'gpt-5',
      COPILOT_OFFLINE: 'true',
      COPILOT_ALLOW_ALL: 'true',
    }),
  },
]

/** Writes the settings files of the program into the home directory. */
export function writeSettings({ settings }: Program, place: RunPlace): void {
  for (const [name, text] of Object.entries(settings?.(place) ?? {})) {
    const path = join(place.home, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
