import type { LanguageModel } from '../../models/language.ts'
import { extractiveWorkers } from '../extractive/workers.ts'
import type { Workers } from '../stages.ts'

export function modelWorkers(_: LanguageModel): Workers {
  return extractiveWorkers
}
