/** Hear no more of a socket and close it; one that is still opening once it is open: before, browsers would call that an error. */
export function hangUp(socket: WebSocket): void {
  socket.onmessage = null
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket.close()
}
