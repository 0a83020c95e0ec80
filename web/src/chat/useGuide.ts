import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { shownAt } from './places.ts'
import { onNavigate, refresh } from './session.ts'

/** Follows the assistant where it leads, and takes what another tab has added when this one is looked at again. */
export function useGuide(): void {
  const navigate = useNavigate()
  useEffect(() => onNavigate((place) => navigate(shownAt(place) as never)), [navigate])
  useEffect(() => {
    addEventListener('focus', refresh)
    return () => removeEventListener('focus', refresh)
  }, [])
}
