import { pathToFileURL } from 'node:url'
import { relativeTo } from '../text/paths.ts'
import type { CheckAnswer, CheckFinding } from './answers.ts'

/** What uris are relative to: the project's root. */
const BASE = 'SRCROOT'

/** The findings as a SARIF 2.1.0 log, for code scanning. */
export function toSarif({ root, findings }: Pick<CheckAnswer, 'root' | 'findings'>): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'ambit', rules: Object.entries(RULES).map(ruleOf) } },
        originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => toSarifResult(finding, root)),
      },
    ],
  }
}

function ruleOf([id, { severity, text }]: readonly [string, { severity: string; text: string }]): object {
  return { id, shortDescription: { text }, defaultConfiguration: { level: severity } }
}

function toSarifResult({ rule, severity, kind, path, line, message, hint }: CheckFinding, root: string): object {
  return {
    ruleId: rule,
    ruleIndex: Object.keys(RULES).indexOf(rule),
    level: severity,
    ...(kind && { properties: { kind } }),
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifactOf(path, root),
          region: { startLine: line ?? 1 },
        },
      },
    ],
  }
}

/** A file outside the root, such as one of the home directory, has an absolute uri. */
function artifactOf(path: string, root: string): object {
  const relative = relativeTo(root, path)
  if (relative === undefined) return { uri: pathToFileURL(path).href }
  return { uri: relative.split('/').map(encodeURIComponent).join('/'), uriBaseId: BASE }
}

/** The rules of `check`: the severity of most findings, and what is wrong. */
export const RULES = {
  'stale-path': { severity: 'warning', text: 'A context file cites a path that does not exist.' },
  'stale-command': { severity: 'warning', text: 'A context file cites a command that cannot run.' },
  'stale-anchor': { severity: 'warning', text: 'A context file links to a heading that does not exist.' },
  'missing-required': { severity: 'error', text: 'The context directory lacks a required file.' },
  'over-budget': { severity: 'warning', text: 'A context file alone takes more than the budget.' },
  'hidden-unicode': { severity: 'error', text: 'A context file holds characters that a person does not see.' },
  'html-comment': {
    severity: 'note',
    text: 'A context file holds HTML comments, which a rendered page does not show.',
  },
  unreadable: { severity: 'error', text: 'A context file cannot be read.' },
  'invalid-utf8': { severity: 'warning', text: 'A context file is not valid UTF-8.' },
  'file-name': { severity: 'warning', text: 'The case of a file name keeps tools from reading an instruction file.' },
  'not-imported': { severity: 'warning', text: 'An instruction file names another one without importing it.' },
  'over-limit': { severity: 'warning', text: 'Instruction files take more than a tool reads.' },
  'unused-rule': { severity: 'warning', text: 'The patterns of a rule match no file.' },
} as const
