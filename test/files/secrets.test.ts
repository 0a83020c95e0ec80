import { describe, expect, it } from 'vitest'
import { looksSecret } from '../../src/files/entries.ts'

describe('a path', () => {
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
  ])('%s looks like a secret: %s', (path, expected) => {
    expect(looksSecret(path)).toBe(expected)
  })
})
