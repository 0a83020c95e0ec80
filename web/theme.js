// Runs before the first paint, so that the other theme never flashes. src/frame/Frame.tsx saves the theme that a person chose.
const saved = localStorage.getItem('ambit-theme')
if (saved === 'light' || saved === 'dark') document.documentElement.dataset.theme = saved
