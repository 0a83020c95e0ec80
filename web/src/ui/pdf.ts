import * as pdf from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { startWorker } from './own-worker.ts'

let port: Worker | undefined

/** Opens the PDF of an address. */
export function openPdf(source: { readonly url: string }): pdf.PDFDocumentLoadingTask {
  port ??= startWorker(workerUrl)
  pdf.GlobalWorkerOptions.workerPort = port
  return pdf.getDocument({ ...source, enableXfa: false, disableAutoFetch: true })
}
