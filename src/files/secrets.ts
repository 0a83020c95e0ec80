/** Names of files that must not get into a prompt, whoever names them. */
const SECRET_FILE =
  /^(\.env(rc|[^a-z].*)?|.*\.env|\.git-credentials|\.npmrc|\.yarnrc(\.yml)?|\.netrc|\.pypirc|\.htpasswd|id_(rsa|dsa|ecdsa|ed25519)([^a-z].*)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|tfstate|tfvars)|.*(secret|credential|service[-_]account)s?\b[^.]*\.(json|ya?ml|toml|ini|txt))$/
const SECRET_DIRECTORIES = new Set(['.git', '.ssh', '.aws', '.azure', '.docker', '.gcloud', '.gnupg', '.kube'])

/** Whether a path, seen from the root of its tree, looks like a secret by its names. */
export function looksSecret(path: string): boolean {
  const names = path.toLowerCase().split('/')
  return isSecretFile(names.at(-1) ?? '') || names.some((name) => SECRET_DIRECTORIES.has(name))
}

/** Nearly every file that is read is Markdown, and none of those is a secret by its name. */
function isSecretFile(name: string): boolean {
  return !name.endsWith('.md') && SECRET_FILE.test(name)
}
