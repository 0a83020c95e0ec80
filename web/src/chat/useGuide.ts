import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pageOf } from './places.ts'
import { onNavigate, refreshConversation } from './session.ts'

/** Follows the assistant where it leads, and takes what another tab has added when this one is looked at again. */
export function useGuide(): void {
  const navigate = useNavigate()
  useEffect(() => onNavigate((place) => navigate(pageOf(place) as never)), [navigate])
  useEffect(() => {
    addEventListener('focus', refreshConversation)
    return () => removeEventListener('focus', refreshConversation)
  }, [])
}
