/**
 * Loaded before a program (`--import`). Gives it a host name of its own, so that no other process can check whether it is alive.
 */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

os.hostname = () => `machine-of-${process.pid}`
syncBuiltinESMExports()
