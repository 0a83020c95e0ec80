import { pathToFileURL } from 'node:url'
import { relativeTo } from '../text/paths.ts'
import { type CheckAnswer, type CheckFinding, RULES } from './answers.ts'

/** Base of uris: the root of the project. */
const BASE = 'SRCROOT'

/** The findings as a SARIF 2.1.0 log, for code scanning. */
export function toSarif({ root, findings }: Pick<CheckAnswer, 'root' | 'findings'>): object {
  const rules = Object.entries(RULES).map(([id, { severity, text }]) => {
    return { id, shortDescription: { text }, defaultConfiguration: { level: severity } }
  })
  const run = {
    tool: { driver: { name: 'ambit', rules } },
    originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => toSarifResult(finding, root)),
  }
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
}

function toSarifResult({ rule, severity, kind, path, line, message, hint }: CheckFinding, root: string): object {
  const physicalLocation = { artifactLocation: artifactOf(path, root), region: { startLine: line ?? 1 } }
  return {
    ruleId: rule,
    ruleIndex: Object.keys(RULES).indexOf(rule),
    level: severity,
    ...(kind && { properties: { kind } }),
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [{ physicalLocation }],
  }
}

/** A file outside the root, such as one of the home directory, has an absolute uri. */
function artifactOf(path: string, root: string): object {
  const relative = relativeTo(root, path)
  if (relative === undefined) return { uri: pathToFileURL(path).href }
  return { uri: relative.split('/').map(encodeURIComponent).join('/'), uriBaseId: BASE }
}
