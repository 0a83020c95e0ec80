import { realOf } from '../../../files/file-version.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import type { AnyOperation } from '../../../operations/index.ts'
import { confineInput } from './confine-input.ts'
import { withoutPaths } from './hidden-paths.ts'
import { outsideRoots } from './served-path.ts'

/**
 * The operation, kept to the roots by what its inputs say that they are; its errors name paths as they are seen from there.
 * What only a command line asks for is not in it.
 */
export function confineToRoots(
  operation: AnyOperation,
  roots: ServedRoots,
  { mayNameBuckets }: { readonly mayNameBuckets?: boolean } = {},
): AnyOperation {
  const { bytes: _, runTyped: __, ...served } = operation
  const confinement = { roots, mayNameBuckets }
  return {
    ...served,
    run: (engine, given, run) =>
      withoutPaths(roots, async () => {
        const { input, paths } = confineInput(operation.input.fields, given, confinement)
        const output = await operation.run(engine, input, run)
        // A directory that was exchanged for a link meanwhile may have led elsewhere.
        for (const { path, real } of paths) if (realOf(path) !== real) throw outsideRoots(path)
        return output
      }),
  }
}
