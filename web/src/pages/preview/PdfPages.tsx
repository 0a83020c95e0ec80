import * as pdf from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { bytesUrl } from '../../api/bytes.ts'
import type { Place } from '../../api/place.ts'
import { countOf } from '../../ui/format.ts'
import { useIsNear } from '../../ui/hooks.ts'
import { startWorker } from '../../ui/own-worker.ts'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'

/** Maximum CSS pixels for a point of the page. */
const SCALE = 1.5

/** The pages of a PDF, each drawn when it becomes visible. The view "Source" has its text. */
export function PdfPages({ place }: { readonly place: Place }) {
  const { file, error } = usePdf(bytesUrl(place))
  if (error) return <ErrorNote error={error} />
  if (!file) return <Skeleton rows={10} />
  return (
    <div className="stack justify-items-center gap-3 bg-surface p-4">
      <p className="text-xs text-ink-3 tabular-nums">{countOf(file.numPages, 'page')}</p>
      {Array.from({ length: file.numPages }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is the page number.
        <Page key={index} file={file} number={index + 1} />
      ))}
    </div>
  )
}

function usePdf(url: string) {
  const [state, setState] = useState<{ readonly file?: pdf.PDFDocumentProxy; readonly error?: unknown }>({})
  useEffect(() => {
    const task = openPdf({ url })
    task.promise.then(
      (file) => setState({ file }),
      (error) =>
        task.destroyed || setState({ error: new Error(`The PDF cannot be shown: ${error?.message ?? error}.`) }),
    )
    return () => {
      task.destroy()
    }
  }, [url])
  return state
}

function Page({ file, number }: { readonly file: pdf.PDFDocumentProxy; readonly number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isNear = useIsNear(canvas)
  useEffect(() => {
    if (!isNear) return
    let drawing: pdf.RenderTask | undefined
    let isCurrent = true
    file.getPage(number).then((page) => {
      const target = canvas.current
      if (!isCurrent || !target) return
      const viewport = page.getViewport({ scale: SCALE * devicePixelRatio })
      target.width = viewport.width
      target.height = viewport.height
      drawing = page.render({ canvas: target, viewport })
      drawing.promise.catch(() => {})
    })
    return () => {
      isCurrent = false
      drawing?.cancel()
    }
  }, [file, number, isNear])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Page ${number}`}
      width={918}
      height={1188}
      className="w-full max-w-[918px] border border-line bg-[white]"
    />
  )
}

let port: Worker | undefined

/** Opens the PDF at a URL. */
function openPdf(source: { readonly url: string }): pdf.PDFDocumentLoadingTask {
  port ??= startWorker(workerUrl)
  pdf.GlobalWorkerOptions.workerPort = port
  return pdf.getDocument({ ...source, enableXfa: false, disableAutoFetch: true })
}
