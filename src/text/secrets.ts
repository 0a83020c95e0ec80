/** What tells that a file holds a secret: its name, or what stands in it. */

/** Names of files, in lower case. A rule says what such a file is, so that a person can judge it. */
const FILE_NAMES: readonly (readonly [what: string, name: RegExp])[] = [
  ['environment variables', /^(?:\.env(?:rc|[^a-z].*)?|.*\.env)$/],
  ['a private key', /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:[^a-z].*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/],
  [
    'a store of passwords',
    /^(?:\.git-credentials|\.netrc|_netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.htpasswd|\.smbcredentials)$/,
  ],
  [
    'the settings of a tool, with its tokens',
    /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.gitconfig|\.s3cfg|\.boto|\.dockercfg|\.terraformrc|rclone\.conf|kubeconfig)$/,
  ],
  ['a token', /^(?:\.vault-token|\.vault[_-]pass(?:word)?(?:\.txt)?|\.dockerconfigjson)$/],
  ['what somebody typed', /^(?:\.[a-z_]+_history|\.histfile)$/],
  ['the state of Terraform', /\.(?:tfstate|tfvars)(?:\.json|\.backup|\.\d+.*)?$/],
  ['credentials', /^(?:credentials|credentials\.(?:db|csv|tdb)|accesskeys\.csv|rootkey\.csv)$/],
  ['the key of a cloud', /^(?:(?:gcp|gcloud|google|firebase|sa|aws|azure)[-_.].*key.*|.*[-_.]sa[-_]key)\.json$/],
  [
    'secrets',
    /^.*(?:secret|credential|service[-_]account)s?(?![a-z])[^.]*(?:\.(?:enc|sops|dec|dev|prod|staging|local))?\.(?:json|ya?ml|toml|ini|txt|properties|conf|cfg)$/,
  ],
]

/** Directories that hold little else. */
const DIRECTORIES: ReadonlySet<string> = new Set(
  '.git .ssh .aws .azure .docker .gcloud .gnupg .kube .password-store'.split(' '),
)

/** Of a tool where it stands at the top of a home or a folder of settings; elsewhere it is a file like others. */
const OF_SETTINGS = /^(?:(?:.*\/)?\.[^/]+\/(?:.*\/)?)?auth\.json$/

/** Directories below `.config` that hold tokens. */
const CONFIG = /(?:^|\/)\.config\/(?:gcloud|gh|op|doctl|hub|glab-cli)(?:\/|$)/

/** All directories above begin so; most paths have none. */
const DOTTED = /(?:^|\/)\./

/** Shows how such a file looks: what stands in it decides. */
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults)(?:\.[a-z]+)?$/

/** Whether a path, seen from the root of its tree, looks like a secret by its names. No Markdown does: it is written for readers. */
export function looksSecret(path: string): boolean {
  const lower = path.toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  return (
    (!name.endsWith('.md') && !TEMPLATE.test(name) && FILE_NAMES.some(([, rule]) => rule.test(name))) ||
    OF_SETTINGS.test(lower) ||
    (DOTTED.test(lower) && (lower.split('/').some((one) => DIRECTORIES.has(one)) || CONFIG.test(lower)))
  )
}

/** What a text holds. `line`: from 1. The secret itself is not told. */
export interface FoundSecret {
  readonly what: string
  readonly line: number
}

/**
 * Tokens by their published forms. `value`: the part that must not look made up, where it is not all of it. Each begins with a
 * text that hardly anything else begins with, so that a text is gone through once.
 */
const TOKENS: readonly (readonly [what: string, begins: string, rest: string])[] = [
  ['a key of AWS', '(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}(?![A-Za-z0-9])'],
  ['a token of GitHub', 'gh[pousr]_', '[A-Za-z0-9]{36}(?![A-Za-z0-9])'],
  ['a token of GitHub', 'github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'],
  ['a token of GitLab', 'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-', '[\\w-]{20,}'],
  ['a token of Slack', 'xox[abeoprs]-', '(?:\\d+-)+[A-Za-z0-9-]{10,}'],
  ['a webhook of Slack', 'hooks\\.slack\\.com/services/', 'T\\w{8,}/B\\w{8,}/\\w{20,}'],
  ['a key of Stripe', '[rs]k_live_', '[A-Za-z0-9]{24,}'],
  ['a signing secret of Stripe', 'whsec_', '[A-Za-z0-9+/=]{32,}'],
  ['a key of Google', 'AIza', '[\\w-]{35}(?![\\w-])'],
  ['a client secret of Google', 'GOCSPX-', '[\\w-]{28}'],
  ['a token of Google', 'ya29\\.', '[\\w-]{60,}'],
  ['a key of Anthropic', 'sk-ant-', '[a-z]+\\d\\d-[\\w-]{80,}'],
  ['a key of OpenAI', 'sk-', '(?:(?:proj|svcacct|admin)-)?[\\w-]{16,100}T3BlbkFJ[\\w-]{16,}'],
  ['a key of OpenRouter', 'sk-or-v1-', '[0-9a-f]{64}'],
  ['a token of npm', 'npm_', '[A-Za-z0-9]{36}(?![A-Za-z0-9])'],
  ['a token of PyPI', 'pypi-AgE', '[\\w-]{60,}'],
  ['a token of Hugging Face', 'hf_', '[A-Za-z]{34}(?![A-Za-z0-9])'],
  ['a key of SendGrid', 'SG\\.', '[\\w-]{22}\\.[\\w-]{43}'],
  ['a token of DigitalOcean', 'do[opr]_v1_', '[0-9a-f]{64}'],
  ['a token of Shopify', 'shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}'],
  ['a token of Databricks', 'dapi', '[0-9a-f]{32}(?![0-9a-f])'],
  ['a token of Docker', 'dckr_pat_', '[\\w-]{27}'],
  ['a token of Vault', 'hv[sbr]\\.', '[\\w-]{24,}'],
  ['a key of Linear', 'lin_api_', '[A-Za-z0-9]{40}'],
  ['a key of age', 'AGE-SECRET-KEY-1', '[0-9A-Z]{58}'],
  ['a key of Azure', 'AccountKey=', '[A-Za-z0-9+/]{86}=='],
  ['a token of this program', 'ambit_', '[\\w-]{43}(?![\\w-])'],
]

const TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${TOKENS.map(([, begins, rest], at) => `(?<t${at}>${begins}${rest})`).join('|')})`,
  'g',
)

/** Its first lines: what only names the mark holds no key. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|[\s"'+]){1,40}(?:[A-Z][\w-]{2,20}: [^\n]{1,200}\s{1,9}){0,4}([A-Za-z0-9+/=](?:\\n|[A-Za-z0-9+/=\s"'+]){63})/g

const JWT = /(?<![\w.-])eyJ[\w-]{10,600}\.(eyJ[\w-]{10,4000})\.[\w-]{20,700}/g

/** Something called a secret, and a text in quotation marks; or, at the beginning of a line, a variable of the environment. */
const ASSIGNED = new RegExp(
  String.raw`(?:password|passwd|secret|token|api_?-?key|access_?-?key|auth_?-?key|private_?-?key|encryption_?-?key|signing_?-?key)(?!\w*(?:hash|digest|sum|fingerprint|_id|Id)\b)[\w-]{0,20}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}` +
    `(?:"([^"\\s]{20,200})"|'([^'\\s]{20,200})')`,
  'gi',
)
const VARIABLE =
  /^(?:export\s{1,4})?[A-Z][A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}=([^\s"'$`<{(#][^\s"'#]{19,199})[^\S\n]*$/gm

/** What a person wrote beside it, as scanners of repositories read it. */
const ALLOWED = /gitleaks:allow|pragma: allowlist secret/

/** Words of those who show how something looks. */
const MADE_UP =
  /example|sample|placeholder|your|change.?me|dummy|fake|mock|test|demo|redact|secret|password|insert|replace|default|foo|bar|x{4}|\*{3}|\.{3}|0{5}|1{4}|a{4}|1?2345|abcde|deadbeef|\$\{|\{\{|%s|</i

/**
 * The first secret of a text: a private key, a token of a known form, or something called a secret that no person would make up.
 * What shows how one looks is none. Its time grows with the length of the text.
 */
export function findSecret(text: string): FoundSecret | undefined {
  const found = [...secretsIn(text)].filter(({ at }) => !ALLOWED.test(lineAround(text, at)))
  const first = found.reduce<{ at: number; what: string } | undefined>(
    (least, one) => (least === undefined || one.at < least.at ? one : least),
    undefined,
  )
  return first && { what: first.what, line: countLines(text, first.at) }
}

interface Place {
  readonly what: string
  readonly at: number
}

function* secretsIn(text: string): Generator<Place> {
  for (const { index, groups } of text.matchAll(TOKEN)) {
    const [name = '', value = ''] = Object.entries(groups ?? {}).find(([, one]) => one !== undefined) ?? []
    const what = TOKENS[Number(name.slice(1))]?.[0]
    if (what !== undefined && isRandom(value.replace(/^[^-_.=/]*[-_.=/]/, ''))) yield { what, at: index }
  }
  if (text.includes('PRIVATE KEY')) {
    for (const { index, 1: body = '' } of text.matchAll(PRIVATE_KEY)) {
      if (entropyOf(body) > 3.5) yield { what: 'a private key', at: index }
    }
  }
  for (const { index, 1: payload = '' } of text.matchAll(JWT)) {
    if (isGrant(payload)) yield { what: 'a token (JWT)', at: index }
  }
  for (const { index, 1: double, 2: single } of text.matchAll(ASSIGNED)) {
    if (isGenerated(double ?? single ?? '')) yield { what: 'what is called a secret, and is random', at: index }
  }
  for (const { index, 1: value = '' } of text.matchAll(VARIABLE)) {
    if (isGenerated(value)) yield { what: 'what is called a secret, and is random', at: index }
  }
}

function isRandom(value: string): boolean {
  return !MADE_UP.test(value) && !isRun(value) && !value.startsWith(AZURITE) && entropyOf(value) >= 3
}

/** Characters of an alphabet one after the other, as people type them. */
function isRun(value: string): boolean {
  let steps = 0
  for (let at = 1; at < value.length; at++) if (value.charCodeAt(at) - value.charCodeAt(at - 1) === 1) steps++
  return steps > value.length / 2
}

/** The key of the emulator of Azure's storage, which everybody has. */
const AZURITE = 'Eby8vdM02xNOcqFlqUwJ'

/** What is shown to everybody: keys of pages for PostHog and Stripe. A JWT is judged by what it holds. */
const PUBLIC = /^(?:phc_|pk_(?:live|test)_|eyJ)/

/** Letters and digits in no order that a word, a path or a name has. */
function isGenerated(value: string): boolean {
  if (!/^[\w+/=.~-]+$/.test(value) || PUBLIC.test(value) || MADE_UP.test(value) || isRun(value)) return false
  const digits = value.replace(/\D/g, '').length
  if (/^[0-9a-f]+$/i.test(value)) return value.length >= 32 && digits >= 4 && entropyOf(value) >= 3
  if (UUID.test(value)) return false
  // Names are words with marks between them, or with a capital at each.
  const longest = Math.max(...value.split(/[-_./~=]/).map((word) => word.length))
  const lower = /[a-z]/.test(value)
  const upper = /[A-Z]/.test(value)
  return longest >= 16 && digits >= 3 && lower && upper && entropyOf(value) >= 4
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether it says for whom it is or until when, and is not the one that everybody shows. */
function isGrant(payload: string): boolean {
  const json = decodeBase64(payload)
  return /"(?:sub|exp|iss|aud|scope|role)"/.test(json) && !/1234567890|John Doe|example|test|1516239022/i.test(json)
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Of base64url; what is not ASCII is not told apart. */
function decodeBase64(text: string): string {
  let [bits, size, found] = [0, 0, '']
  for (const char of text) {
    bits = ((bits << 6) | Math.max(0, BASE64.indexOf(char))) & 0xffff
    size += 6
    if (size < 8) continue
    size -= 8
    found += String.fromCharCode((bits >> size) & 0xff)
  }
  return found
}

/** Bits of each character, by how often each stands there. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  return -[...counts.values()].reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0)
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  const from = Math.max(0, at - 400)
  return text.slice(from + text.slice(from, at).lastIndexOf('\n') + 1, end === -1 ? at + 400 : Math.min(end, at + 400))
}

function countLines(text: string, at: number): number {
  let lines = 1
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) lines++
  return lines
}
