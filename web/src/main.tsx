import './theme.css'

// The program takes the processor: first the frame of index.html is painted, but that of a hidden page never is.
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted))
  setTimeout(painted, 100)
})
await import('./program.tsx')
