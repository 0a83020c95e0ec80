// Before anything is painted: no flash of the other theme. What a person chose is kept by src/frame/Frame.tsx.
const kept = localStorage.getItem('ambit-theme')
if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
