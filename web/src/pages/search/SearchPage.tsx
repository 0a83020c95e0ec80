export function SearchPage() {
  return <p>SearchPage</p>
}
