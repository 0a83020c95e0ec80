import { describe, expect, it } from 'vitest'
import { findSecret, looksSecret } from '../../src/text/secrets.ts'
import { fc, forAll } from '../support/property.ts'

it.each([
  ['.env', true],
  ['a/.env', true],
  ['.env.local', true],
  ['.ENV', true],
  ['.git/config', true],
  ['sub/.git/HEAD', true],
  ['.ssh/id_rsa', true],
  ['id_ed25519', true],
  ['keys/server.pem', true],
  ['server.KEY', true],
  ['cert.p12', true],
  ['.npmrc', true],
  ['a/.netrc', true],
  ['a/.git/state.txt', true],
  ['a/.ssh/state.txt', true],
  ['a/.aws/state.txt', true],
  ['a/.azure/state.txt', true],
  ['a/.docker/state.txt', true],
  ['a/.gcloud/state.txt', true],
  ['a/.gnupg/state.txt', true],
  ['a/.kube/state.txt', true],
  ['a/.password-store/state.txt', true],
  ['env.md', false],
  ['.environment.md', false],
  ['.github/x.md', false],
  ['.gitignore', false],
  ['docs/keys.md', false],
  ['pem/readme.md', false],
  ['.envrc', true],
  ['.env-prod', true],
  ['.env_local', true],
  ['prod.env', true],
  ['.git-credentials', true],
  ['.pypirc', true],
  ['.aws/credentials', true],
  ['.docker/config.json', true],
  ['.kube/config', true],
  ['.yarnrc.yml', true],
  ['infra/terraform.tfstate', true],
  ['service-account.json', true],
  ['release.jks', true],
  ['config/secrets.yml', true],
  ['docs/secrets.md', false],
  ['package.json', false],
  ['docs/docker/config.json', false],
  ['keynote.md', false],
  ['client_secret_123.json', true],
  ['terraform.tfstate.backup', true],
  ['.pgpass', true],
  ['.vault-token', true],
  ['credentials', true],
  ['a/credentials', true],
  ['auth.json', true],
  ['home/.codex/auth.json', true],
  ['docs/api/auth.json', false],
  ['src/locales/en/auth.json', false],
  ['rclone.conf', true],
  ['.bash_history', true],
  ['.psql_history', true],
  ['gcp-key.json', true],
  ['_netrc', true],
  ['.gitconfig', true],
  ['secrets.enc.yaml', true],
  ['credentials.md', false],
  ['docs/credentials.html', false],
  ['src/credentials.ts', false],
  ['credentials/readme.txt', false],
  ['.env.example', false],
  ['terraform.tfvars.example', false],
  ['secretary.json', false],
  ['.config/gcloud/legacy/adc.json', true],
  ['.config/app/settings.json', false],
  ['monkey.json', false],
  ['history.txt', false],
])('a path %s looks like a secret: %s', (path, expected) => {
  expect(looksSecret(path)).toBe(expected)
})

/** So many characters that no person would type, in pieces, so that no scanner takes this file for one with secrets. */
const RANDOM = 'Zq8Lw3Rk T6vNc9Yp B2hJf7Xs D4mGu1Ke W5aQo0Ri P9tEz6Vy C3nHb8Lx S7jFd2Mg U1wKr4Oa I0pTq5Ne'.split(' ')
const random = (length: number) => RANDOM.join('').repeat(2).slice(0, length)
const hex = (length: number) => '9f3c7a1e5b8d2064'.repeat(8).slice(0, length)
const upper = (length: number) => 'QZ7LWRK2TVNCYP3BHJF6'.slice(0, length)
const jwt = (payload: object) =>
  [{ alg: 'HS256', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
/** Without a digit. */
const LETTERS = 'ZqLwRkTvNcYpBhJfXsDm'
const HEX_LETTERS = `${'cfadbe'.repeat(4)}cfad`
const PEM = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')

describe('a text', () => {
  it.each([
    ['a random value with the name of a secret', `AWS_SECRET_ACCESS_KEY=${random(11)}/${random(20)}+${random(7)}`],
    ['a random value with the name of a secret', `  apiKey: ${random(20)}`],
    ['a random value with the name of a secret', `db_password = ${random(24)}; // of the replica`],
    ['a random value with the name of a secret', `secret: z8lw3rkt6vnc9ypb2hjf7xsd4mgu`],
    ['a random value with the name of a secret', `{ "client_secret" => '${random(32)}' }`],
    ['a random value with the name of a secret', `-H "Authorization: Bearer ${random(40)}"`],
    ['a random value with the name of a secret', `postgres://app:${random(24)}@db.internal:5432/app`],
    ['a random value with the name of a secret', `AccountKey=${random(80)}K8zQ2w==;EndpointSuffix=x`],
    ['a random value with the name of a secret', `BOT_TOKEN=5512309871:${random(35)}`],
    ['a random value with the name of a secret', `{\\"password\\":\\"${random(24)}\\"}`],
    ['a random value with the name of a secret', `api_key: str = "${random(24)}"`],
    ['a random value with the name of a secret', `{ "name": "API_KEY", "value": "${random(24)}" }`],
    ['a random value with the name of a secret', `<add key="DbPassword" value="${random(24)}" />`],
    ['a random value with the name of a secret', `TOKEN = os.getenv("TOKEN", "${random(24)}")`],
    ['a random value with the name of a secret', `API_TOKEN ?= ${random(24)}`],
    ['a random value with the name of a secret', `| api_key | ${random(24)} |`],
    ['a random value with the name of a secret', `variable "token" { default = "${random(24)}" }`],
    ['a random value with the name of a secret', `Authorization: Basic ${random(32)}`],
    ['a random value with the name of a secret', `redis://:${random(24)}@cache.internal:6379`],
    ['a token of GitHub', `"a\\nghp_${random(36)}"`],
    ['a private key', `${PEM.replace('PRIVATE', 'OPENSSH PRIVATE')}\n> b3BlbnNz${random(56)}\n`],
    [
      'a private key',
      `${PEM.replace('PRIVATE', 'RSA PRIVATE')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,0\n\n${random(64)}`,
    ],
    ['a key of AWS', `key: AKIA${upper(16)}`],
    ['a token of GitHub', `curl -H "Authorization: token ghp_${random(36)}"`],
    ['a token of GitHub', `github_pat_${random(22)}_${random(59)}`],
    ['a token of GitLab', `glpat-${random(20)}`],
    ['a token of Slack', `xoxb-2401982731-9917265531-${random(24)}`],
    ['a webhook of Slack', `https://hooks.slack.com/services/T0Q9XK2LM/B7VR3NPZC/${random(24)}`],
    ['a key of Stripe', `sk_live_${random(24)}`],
    ['a key of Google', `AIza${random(35)}`],
    ['a key of OpenAI', `sk-proj-${random(40)}T3BlbkFJ${random(40)}`],
    ['a key of Anthropic', `sk-ant-api03-${random(90)}`],
    ['a token of npm', `//registry.npmjs.org/:_authToken=npm_${random(36)}`],
    ['a token of this program', `ambit_${random(43)}`],
    ['a private key', `${PEM}\nMIIEvQ${random(58)}\n${random(64)}\n`],
    ['a private key', `{"private_key": "${PEM}\\nMIIEvQ${random(58)}\\n${random(64)}\\n"}`],
    ['a token (JWT)', `Bearer ${jwt({ sub: 'u-77', exp: 1999999999 })}.${random(43)}`],
    ['a random value with the name of a secret', `"apiSecret": "${hex(40)}"`],
    ['a random value with the name of a secret', `const token = '${random(32)}'`],
    ['a random value with the name of a secret', `export SESSION_SECRET=${random(40)}`],
    // As little as is enough: of letters of one word, of digits, of what is unlike, and of an alphabet in between.
    ['a random value with the name of a secret', `const token = 'ab1-${random(16)}'`],
    ['a random value with the name of a secret', `const token = '${LETTERS}863'`],
    ['a random value with the name of a secret', `apiKey: "${HEX_LETTERS}9753"`],
    ['a random value with the name of a secret', `apiKey: "${'c7f2a9d4'.repeat(4)}"`],
    ['a token of GitLab', `glpat-${'QZ7LWRK2'.repeat(3)}`],
    ['a token of GitHub', `ghp_ghijklmnopqrst${random(22)}`],
  ])('holds %s: %s', (what, text) => {
    expect(findSecret(`first\n\n${text}\nlast`)).toEqual({ what, line: 3 })
  })

  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'token: "your-token-here"',
    'API_KEY=your_api_key_goes_here_12345',
    `ghp_${'x'.repeat(36)}`,
    `ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`,
    'password: "correct horse battery staple"',
    `${PEM}\n...\n-----END PRIVATE KEY-----`,
    `Files that begin with ${PEM} are left out.`,
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    `${jwt({ sub: '1234567890', name: 'John Doe', iat: 1516239022 })}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
    `const token = '${random(19)}'`,
    `const token = 'the-2-words-of-Our-3-readers-in-Order-4'`,
    `const token = 'useOAuth2ClientWithB2CTenantOnIos14'`,
    'const token = createToken2ForOAuth(B2cTenant4Id, AbC12dE34fG56hI78jK)',
    `apiKey = process.env.B2C_X9K2_Q7Z4_P3L8_KEY`,
    `publicKeyId: '${random(32)}'`,
    `tokenizer.json: ${hex(64)}`,
    `license_key_sha256=${hex(64)}`,
    `Authorization: Basic ${Buffer.from('testuser:testpass123').toString('base64')}`,
    `sqs://ABCDEFGHIJ:${random(24)}@`,
    `${jwt({ sub: 'u-77' })}.${random(43)}`,
    `integrity sha512-${random(64)}==`,
    `token_url: "${random(40)}"`,
    `commit: ${hex(40)}`,
    `token: 0x${hex(40)}`,
    `https://host.dev/${random(24)}:80@x`,
    `-----BEGIN PUBLIC KEY-----\nMIIEvQ${random(58)}`,
    `apiKey: "${HEX_LETTERS}b975"`,
    `apiKey: "${'c7f2a9d'.repeat(4)}c7f2"`,
    `apiKey: "pk_live_${random(32)}"`,
    `token: "phc_${random(40)}"`,
    `const token = 'example${random(24)}'`,
    "const token = 'ghijklmnopqrZ8L3R6Tv9'",
    `${jwt({ sub: '1234567890' })}.${random(43)}`,
    'token = process.env.GITHUB_TOKEN_FOR_RELEASES_V2',
    'const secretKeyResolver = "packages/auth/src/resolvers/secretKeyResolver2.ts"',
    'tokenId: "123e4567-e89b-42d3-a456-426614174000"',
    `"token_hash": "${hex(64)}"`,
    `sha256: ${hex(64)}`,
    `const token = '${random(32)}' // gitleaks:allow`,
    'SECRET=$' + '{SESSION_SECRET}',
  ])('holds none where it shows how one looks: %s', (text) => {
    expect(findSecret(`first\n${text}\nlast`)).toBeUndefined()
  })

  it('holds the one that stands first', () => {
    const named = `a = 1\nsecret = "${hex(40)}"\nghp_${random(36)}`
    expect(findSecret(named)).toEqual({ what: 'a random value with the name of a secret', line: 2 })
    const key = `-----BEGIN PRIVATE KEY-----\n${random(64)}`
    expect(findSecret(`${key}\n${named}`)).toEqual({ what: 'a private key', line: 1 })
    expect(findSecret(`${named}\n${key}`)).toEqual(findSecret(named))
  })

  it('never has its secret told', () => {
    expect(JSON.stringify(findSecret(`ghp_${random(36)}`))).not.toContain(random(12))
  })

  it('is gone through, whatever it is', () =>
    forAll(fc.string({ unit: 'binary', maxLength: 400 }), (text) => void findSecret(text)))
})
