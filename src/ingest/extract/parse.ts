import { type Extraction, libraryReason, notExtracted } from '../extracted.ts'
import { type ExtractTask, isParsed } from './format.ts'

/** Reads a file. Only for workers, because reading may never end, or use all memory. Never throws. */
export async function parseFile(task: ExtractTask): Promise<Extraction> {
  try {
    return await parse(task)
  } catch (error) {
    return notExtracted('failed', `It cannot be read as ${task.format.toUpperCase()}: ${libraryReason(error)}`)
  }
}

/** Loads the library of a format with the first file of the format. */
async function parse({ path, format, bytes, limits, article = false }: ExtractTask): Promise<Extraction> {
  if (!isParsed(format)) return (await import('./text.ts')).extractText(path, bytes, limits)
  if (format === 'html' && article) return (await import('./article.ts')).readArticle(path, bytes, limits)
  if (format === 'html') return (await import('./html.ts')).readHtml(path, bytes, limits)
  if (format === 'pdf') return (await import('./pdf.ts')).readPdf(path, bytes, limits)
  if (format === 'xlsx') return (await import('./xlsx.ts')).readXlsx(path, bytes, limits)
  if (format === 'pptx') return (await import('./pptx.ts')).readPptx(path, bytes, limits)
  if (format === 'odt') return (await import('./odt.ts')).readOdt(path, bytes, limits)
  return (await import('./docx.ts')).readDocx(path, bytes, limits)
}
