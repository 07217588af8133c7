// Runs before the first paint, so that the page never flashes in the other theme.
{
  let theme = null
  try {
    theme = localStorage.getItem('azalai.theme')
  } catch {
    // storage may be forbidden; the system's wish counts then
  }
  if (theme !== 'light' && theme !== 'night') theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'light'
  document.documentElement.dataset.theme = theme
}
