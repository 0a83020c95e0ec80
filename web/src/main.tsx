import './theme.css'

// The program blocks the browser while it loads, so index.html is painted first. A hidden page waits only 100 ms.
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted))
  setTimeout(painted, 100)
})
await import('./program.tsx')
