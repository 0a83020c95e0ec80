/** Loaded before a program (`--import`): it is on a machine of its own, by its name. Nobody can see whether it lives. */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

os.hostname = () => `machine-of-${process.pid}`
syncBuiltinESMExports()
