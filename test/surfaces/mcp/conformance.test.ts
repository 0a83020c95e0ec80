import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ROOT } from '../../source-files.ts'
import { tree } from '../../support/tree.ts'
import { behindToken } from './behind-token.ts'

/** Scenarios of the official suite (0.1.16, which knows the protocol up to 2025-11-25) that apply to this server. */
const PASSES = (
  'server-initialize ping completion-complete tools-list resources-list prompts-list ' + 'dns-rebinding-protection'
).split(' ')

const FIXTURE_TOOL = 'calls a tool of the fixture server of the suite, by its name'
const FIXTURE_RESOURCE = 'reads a resource of the fixture server'
const FIXTURE_PROMPT = 'gets a prompt of the fixture server'
const ASKS_CLIENT = `${FIXTURE_TOOL}; our tools ask the client nothing`
const NO_SUBSCRIPTIONS = 'there are no subscriptions: a document is read when it is needed'

const NO_SESSIONS = 'needs a session, and checks nothing without one: here each request stands by itself'

/** Those that do not, with the reason. Should one of them pass some day, the suite says so, and this test fails. */
const NOT_OURS: Readonly<Record<string, string>> = {
  'logging-set-level': 'logs go to stderr: logging by the protocol is deprecated since 2026-07-28',
  'tools-call-simple-text': FIXTURE_TOOL,
  'tools-call-image': FIXTURE_TOOL,
  'tools-call-audio': FIXTURE_TOOL,
  'tools-call-embedded-resource': FIXTURE_TOOL,
  'tools-call-mixed-content': FIXTURE_TOOL,
  'tools-call-with-logging': FIXTURE_TOOL,
  'tools-call-error': FIXTURE_TOOL,
  'tools-call-with-progress': FIXTURE_TOOL,
  'tools-call-sampling': ASKS_CLIENT,
  'tools-call-elicitation': ASKS_CLIENT,
  'elicitation-sep1034-defaults': ASKS_CLIENT,
  'elicitation-sep1330-enums': ASKS_CLIENT,
  'json-schema-2020-12': FIXTURE_TOOL,
  'resources-read-text': FIXTURE_RESOURCE,
  'resources-read-binary': FIXTURE_RESOURCE,
  'resources-templates-read': FIXTURE_RESOURCE,
  'resources-subscribe': NO_SUBSCRIPTIONS,
  'resources-unsubscribe': NO_SUBSCRIPTIONS,
  'prompts-get-simple': FIXTURE_PROMPT,
  'prompts-get-with-args': FIXTURE_PROMPT,
  'prompts-get-embedded-resource': FIXTURE_PROMPT,
  'prompts-get-with-image': FIXTURE_PROMPT,
  'server-sse-polling': NO_SESSIONS,
  'server-sse-multiple-streams': NO_SESSIONS,
}

it('the official conformance suite finds what applies to /mcp as it should be, on the whole server with its checks of host and token', async () => {
  using planted = tree({ 'AGENTS.md': 'a' })
  await using server = await behindToken(planted.base)
  const baseline = planted.at('baseline.yaml')
  writeFileSync(baseline, JSON.stringify({ server: Object.keys(NOT_OURS) }))
  const suite = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const argv = [suite, 'server', '--url', server.url, '--suite', 'all', '--expected-failures', baseline]
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: planted.base, timeout: 60_000 })
  const rows = [...stdout.matchAll(/^[✓✗~] ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  const isPassed = ([, , passed, failed]: readonly string[]) => Number(passed) > 0 && Number(failed) === 0
  const names = (some: typeof rows) => some.map(([, name]) => name).sort()
  expect(names(rows.filter(isPassed))).toEqual(PASSES.toSorted())
  expect(names(rows.filter((row) => !isPassed(row)))).toEqual(Object.keys(NOT_OURS).sort())
})
