import type { Operation } from '../core/operation.ts'
import type { Engine } from '../engine.ts'
import { check } from './check.ts'
import { diff } from './diff.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { init } from './init.ts'
import { load } from './load.ts'

/** An operation as a surface sees it: what goes in has passed `input`. */
export type AnyOperation = Operation<Engine, unknown, unknown>

/** Everything that the product can do. */
export const operations: readonly AnyOperation[] = [load, explain, check, diff, init, doctor]
