import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What is at a path: the text or bytes of a file, or something special. */
type Planted = string | Uint8Array | { readonly make: (path: string) => void }

/**
 * A tree by paths, written as `ls -F` would: `a/b.md` is a file, `a/` a directory, `a -> b` a link to `b` (a target
 * that starts with `/` is taken from the tree's base). Directories on the way are made.
 */
export type Shape = Readonly<Record<string, Planted>>

/** A picture of one point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A line of a file that holds a secret. */
export const SECRET_LINE = `# ghp_${'x9Kd2Lq7Vb4Nw8Rt1Yz6m3Hc5Jf0Gs2PaBvE'}\n`

/** A named pipe that nobody writes to. */
export const PIPE: Planted = { make: (path) => execFileSync('mkfifo', [path]) }

/** A socket that nobody listens on. */
export const SOCKET: Planted = {
  make: (path) => {
    const program = `require('node:net').createServer().listen(process.argv[1], () => process.exit())`
    execFileSync(process.execPath, ['-e', program, path])
  },
}

/** A file of so many bytes that takes no space. */
export function sparse(bytes: number): Planted {
  return {
    make: (path) => {
      fs.writeFileSync(path, '')
      fs.truncateSync(path, bytes)
    },
  }
}

/** A tree in a temporary directory of its own; `using` takes it away. */
export interface Tree extends Disposable {
  /** Absolute, without links. */
  readonly base: string
  /** The absolute path of something in it; of the base without arguments. */
  at(...path: string[]): string
  /** Adds to it; files that are there are written anew. */
  plant(shape: Shape): void
}

/** Plants a tree on the real file system. */
export function tree(shape: Shape, name = 'ambit-'): Tree {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), name)))
  fs.chmodSync(base, 0o755)
  const planted: Tree = {
    base,
    at: (...path) => join(base, ...path),
    plant: (more) => {
      for (const [key, what] of Object.entries(more)) put(base, key, what)
    },
    [Symbol.dispose]: () => fs.rmSync(base, { recursive: true, force: true }),
  }
  planted.plant(shape)
  return planted
}

/** A project, marked by `.git`, whose context directory holds these files. */
export function contextTree(files: Shape): Tree {
  const shape = Object.entries(files).map(([name, what]) => [`.context/${name}`, what])
  return tree({ '.git/': '', '.context/': '', ...Object.fromEntries(shape) })
}

function put(base: string, key: string, what: Planted): void {
  const [name = '', target] = key.split(' -> ')
  const path = join(base, name)
  fs.mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
  if (target !== undefined) fs.symlinkSync(target.startsWith('/') ? join(base, target) : target, path)
  else if (typeof what === 'string' || what instanceof Uint8Array) {
    if (!name.endsWith('/')) fs.writeFileSync(path, what)
  } else what.make(path)
}
