/** Switches the favicon when it is the person's turn. */

export function favicon(turn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) link.href = turn ? '/favicon-turn.svg' : '/favicon.svg'
}
