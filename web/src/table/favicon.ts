/** The small picture in the browser's tab tells when it is your turn. */

export function favicon(turn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) link.href = turn ? '/favicon-turn.svg' : '/favicon.svg'
}
