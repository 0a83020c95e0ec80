import { Download } from 'lucide-react'
import { bytesUrl } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { buttonLook } from '../../ui/Button.tsx'

/** Downloads a file. */
export function SaveLink({ place }: { readonly place: Place }) {
  const about = { 'aria-label': 'Save the file', title: 'Save the file' }
  return (
    <a
      href={bytesUrl(place)}
      download={nameOf(place)}
      {...about}
      className={buttonLook({ look: 'quiet', size: 'icon' })}
    >
      <Download aria-hidden />
    </a>
  )
}
