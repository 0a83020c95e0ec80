import type { Attack } from './attacks/attack.ts'
import { faultsAttacks } from './attacks/faults.ts'
import { linearAttacks } from './attacks/linear.ts'
import { programsAttacks } from './attacks/programs.ts'
import { rootsAttacks } from './attacks/roots.ts'
import { secretsAttacks } from './attacks/secrets.ts'
import type { Part } from './proving.ts'

/** Each group is the attacks on one promise. */
const GROUPS: Readonly<Record<string, readonly Attack[]>> = {
  roots: rootsAttacks,
  programs: programsAttacks,
  faults: faultsAttacks,
  linear: linearAttacks,
  secrets: secretsAttacks,
}

export const attack: Part = {
  name: 'attack',
  claim:
    'nothing outside of the roots is read, every input takes linear time, secrets stay out, nothing that is written can run, and faults of the machine are named',
  async prove(proving) {
    for (const [group, attacks] of Object.entries(GROUPS)) {
      for (const { name, hit } of attacks) {
        proving.add(`attacks on ${group}`)
        const found = await hit()
        if (found !== undefined) proving.lose(`${group}, ${name}: ${found}`)
      }
    }
  },
}
