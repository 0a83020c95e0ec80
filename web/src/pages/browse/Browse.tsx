export function Browse() {
  return <p>Browse</p>
}
