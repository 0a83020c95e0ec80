/** Finds secrets by the name or the text of a file. */

import { IN_ADDRESS, SECRET_NAME, TOKEN_KINDS } from './secret-kinds.ts'

/** Names of secret files, in lower case. */
const FILE_NAMES: readonly RegExp[] = [
  // Environment variables
  /^(?:\.env(?:rc|[^a-z].*)?|.*\.env)$/,
  // Private keys, and stores of passwords
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:[^a-z].*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/,
  /^(?:\.git-credentials|\.netrc|_netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.htpasswd|\.smbcredentials)$/,
  // Settings of tools, with their tokens
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.gitconfig|\.s3cfg|\.boto|\.dockercfg|\.terraformrc|rclone\.conf|kubeconfig)$/,
  /^(?:\.vault-token|\.vault[_-]pass(?:word)?(?:\.txt)?|\.dockerconfigjson)$/,
  // Histories of commands
  /^(?:\.[a-z_]+_history|\.histfile)$/,
  // The state of Terraform, and keys of clouds
  /\.(?:tfstate|tfvars)(?:\.json|\.backup|\.\d.*)?$/,
  /^(?:credentials|credentials\.(?:db|csv|tdb)|accesskeys\.csv|rootkey\.csv)$/,
  /^(?:(?:gcp|gcloud|google|firebase|sa|aws|azure)[-_.].*key.*|.*[-_.]sa[-_]key)\.json$/,
  /^.*(?:secret|credential|service[-_]account)s?(?![a-z])[^.]*(?:\.(?:enc|sops|dec|dev|prod|staging|local))?\.(?:json|ya?ml|toml|ini|txt|properties|conf|cfg)$/,
]

/** Directories whose files are mostly secrets. */
const DIRECTORIES = new Set('.git .ssh .aws .azure .docker .gcloud .gnupg .kube .password-store'.split(' '))

/** Matches `auth.json` at the top of the tree or in a hidden folder; elsewhere, a file of this name rarely holds secrets. */
const SETTINGS_FILE = /^(?:(?:.*\/)?\.[^/]+\/(?:.*\/)?)?auth\.json$/

/** Directories below `.config` that contain tokens. */
const CONFIG = /(?:^|\/)\.config\/(?:gcloud|gh|op|doctl|hub|glab-cli)(?:\/|$)/

/** A cheap test for the directories above, which begin with a dot. */
const DOTTED = /(?:^|\/)\./

/** Names of examples. Only their text shows whether they contain secrets. */
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults)(?:\.[a-z]+)?$/

/**
 * Whether the names in a path, relative to the root of its tree, indicate a secret. Markdown is never a secret, because it is written for readers.
 */
export function looksSecret(path: string): boolean {
  const lower = path.toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  return (
    (!name.endsWith('.md') && !TEMPLATE.test(name) && FILE_NAMES.some((rule) => rule.test(name))) ||
    SETTINGS_FILE.test(lower) ||
    (DOTTED.test(lower) && (lower.split('/').some((one) => DIRECTORIES.has(one)) || CONFIG.test(lower)))
  )
}

/** A sentence that says why a file with this secret is left out. */
export function describeSecret({ line, what }: NonNullable<ReturnType<typeof findSecret>>): string {
  return `Line ${line} of its text holds ${what}.`
}

/** A mark by which a person allows the secret on the same line, as scanners of repositories read it. */
const SCANNER_PERMISSION = /gitleaks:allow|pragma: allowlist secret/

/**
 * The first secret of a text: a private key, a token of a known form, or a random value with the name of a secret. Examples do not count. The time
 * grows linearly with the text. The result does not contain the value of the secret; its `line` is from 1.
 */
export function findSecret(text: string) {
  const secrets = [findPrivateKey(text), findSecretRun(text)].filter((secret) => secret !== undefined)
  const [first] = secrets.sort((a, b) => a.at - b.at)
  return first && { what: first.what, line: countLines(text, first.at) }
}

/** Minimum length of a run of characters that may be a secret. Most texts have few such runs. */
const MIN_RUN = 16

const RUN_CODES = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w.~+/-]/.test(String.fromCharCode(code))))

function findSecretRun(text: string) {
  for (const [from, end] of runsIn(text)) {
    // An escape before a token does not belong to it: `\nghp_…`.
    const at = from + Number(text[from - 1] === '\\' && /[nrt]/.test(text[from] ?? ''))
    const run = text.slice(at, end)
    const what = describeToken(run) ?? (isAssigned(text, { at, run }) ? NAMED_SECRET : undefined)
    if (what !== undefined && !SCANNER_PERMISSION.test(lineAround(text, at))) return { what, at }
  }
  return undefined
}

/** Runs of at least `MIN_RUN` characters. Checks the last character of a possible run first, so that most of a text is skipped. */
function* runsIn(text: string): Generator<readonly [from: number, end: number]> {
  for (let from = 0; from + MIN_RUN <= text.length; ) {
    let last = from + MIN_RUN - 1
    while (last >= from && isInRun(text, last)) last--
    if (last >= from) {
      from = last + 1
      continue
    }
    let end = from + MIN_RUN
    while (end < text.length && isInRun(text, end)) end++
    yield [from, end]
    from = end + 1
  }
}

function isInRun(text: string, at: number): boolean {
  return RUN_CODES[text.charCodeAt(at)] === 1
}

const TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${TOKEN_KINDS.map(([, begins, rest]) => `(?:${begins})(${rest})`).join('|')})`,
  'g',
)

const TOKEN_START = new RegExp(`(?<![A-Za-z0-9])(?:${TOKEN_KINDS.map(([, begins]) => begins).join('|')})`)

const JWT = /(?<![\w.-])eyJ[\w-]{10,600}\.(eyJ[\w-]{10,4000})\.[\w-]{20,700}/

function describeToken(run: string): string | undefined {
  if (TOKEN_START.test(run)) {
    for (const [, ...values] of run.matchAll(TOKEN)) {
      const kind = values.findIndex((value) => value !== undefined)
      if (isRandom(values[kind] ?? '')) return TOKEN_KINDS[kind]?.[0]
    }
  }
  return isGrantingToken(JWT.exec(run)?.[1] ?? '') ? 'a token (JWT)' : undefined
}

const BEGIN_KEY = /-----BEGIN (?:[A-Z0-9]{2,9} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** Lines between the mark and the key: `Proc-Type: 4,ENCRYPTED`. */
const HEADER = /(?:^|\n)[ \t>#*]{0,20}[A-Z][\w-]{2,20}: [^\n]{1,200}/g

/** The first private key: its mark and at least 40 characters of the key. Its end may be missing. */
function findPrivateKey(text: string) {
  if (!text.includes('PRIVATE KEY')) return undefined
  for (const { index, 0: mark } of text.matchAll(BEGIN_KEY)) {
    const start = index + mark.length
    const keyText = text.slice(start, start + 1000).split('-----', 1)[0] ?? ''
    const bare = keyText.replaceAll(/\\r|\\n/g, '\n').replace(HEADER, '')
    const body = bare.replaceAll(/[\s"'`,>#*+|]/g, '')
    const key = /^[A-Za-z0-9/=]{40}/.exec(body)?.[0] ?? ''
    if (entropyOf(key) > 3.5 && !SCANNER_PERMISSION.test(lineAround(text, index)))
      return { what: 'a private key', at: index }
  }
  return undefined
}

const NAMED_SECRET = 'a random value with the name of a secret'

/** Matches the text after a value. Does not match within a call or a longer expression. */
const VALUE_END = /^={0,2}(?:[\s"'`;,<>&})\]|]|\\|$)/

function isAssigned(text: string, { at, run }: { readonly at: number; readonly run: string }): boolean {
  if (run.length < 20 || run.length > 200 || !/\d/.test(run) || !looksRandom(run)) return false
  const [before, after] = [text.slice(Math.max(0, at - 100), at), text.slice(at + run.length, at + run.length + 3)]
  return (
    (SECRET_NAME.test(before) && VALUE_END.test(after)) ||
    (after.startsWith('@') && IN_ADDRESS.test(before) && !EXAMPLE_WORDS.test(IN_ADDRESS.exec(before)?.[0] ?? ''))
  )
}

const EXAMPLE_WORDS =
  /example|sample|placeholder|your|change.?me|dummy|fake|mock|test|demo|redact|secret|password|insert|replace|default|foo|bar|x{4}|\.{3}|0{5}|1{4}|a{4}|1?2345|abcde|deadbeef/i

function isRandom(value: string): boolean {
  return !EXAMPLE_WORDS.test(value) && !isSequence(value) && entropyOf(value) >= 2.5
}

/** Whether the characters follow each other in an alphabet, as in a typed example. */
function isSequence(value: string): boolean {
  let steps = 0
  for (let at = 1; at < value.length; at++) if (value.charCodeAt(at) - value.charCodeAt(at - 1) === 1) steps++
  return steps > value.length / 2
}

/**
 * Values that are not secret, by their beginning: public keys of PostHog and Stripe, the key of the emulator of Azure's
 * storage, keys from the documentation of Flask and FastAPI, numbers of blockchains, and JWTs, which `isGrantingToken`
 * judges.
 */
const PUBLIC_KEYS =
  /^(?:phc_|pk_(?:live|test)_|eyJ|Eby8vdM02xNOcqFlqUwJ|192b9bdd22ab9ed4d12e|09d25e094faa6ca2556c|0x|process\.env|sha\d)/

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Frequent pairs of letters: two thirds of the pairs in English text, and fewer than a fifth in random text. */
const ENGLISH_PAIRS = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ' +
    'io me ne ri ro co ic ta ce li ch ll be ma om ec el us ut ss tr so ac no il ns ct un ee ot ke id ab ie ag ev ex ad ge ' +
    'pe op pa po pr rs lo la am ap ck ai ey ay ig im ow sh em iv ol di ca'
  ).split(' '),
)

/** Whether a value looks random: letters and digits in an order that words, paths and names do not have. */
function looksRandom(value: string): boolean {
  if (PUBLIC_KEYS.test(value) || UUID.test(value) || EXAMPLE_WORDS.test(value) || isSequence(value)) return false
  if (/^[0-9a-f-]+$/i.test(value))
    return value.length >= 32 && value.replaceAll(/\D/g, '').length >= 4 && entropyOf(value) >= 3
  if (EXAMPLE_WORDS.test(decodeBase64(value))) return false
  const { changes, letters, english } = countPairs(value)
  const minimumChanges = /[a-z]/.test(value) && /[A-Z]/.test(value) ? 0.3 : 0.2
  return changes / (value.length - 1) >= minimumChanges && english <= letters * 0.4 && entropyOf(value) >= 3.5
}

/** Counts neighbours of different kinds (`changes`), pairs of letters, and pairs that are frequent in English. */
function countPairs(value: string) {
  const kinds = value.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0')
  const lower = value.toLowerCase()
  let [changes, letters, english] = [0, 0, 0]
  for (let at = 1; at < value.length; at++) {
    const pair = lower.slice(at - 1, at + 1)
    const isPair = /^[a-z]{2}$/.test(pair)
    if (kinds[at] !== kinds[at - 1] && kinds[at] !== '-' && kinds[at - 1] !== '-') changes++
    if (isPair) letters++
    if (isPair && ENGLISH_PAIRS.has(pair)) english++
  }
  return { changes, letters, english }
}

/** Whether the payload of a JWT grants something: it names an expiry or a purpose, and is not a sample. */
function isGrantingToken(payload: string): boolean {
  if (payload === '') return false
  const json = decodeBase64(payload)
  const isSample = /1234567890|John Doe|example|test|demo|foo|1516239022/i.test(json)
  return !isSample && /"(?:exp|iss|aud|scope|role)"/.test(json)
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString('latin1')
}

/** Entropy in bits for each character. */
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
