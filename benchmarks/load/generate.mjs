// Load for a game server. node generate.mjs KIND ADDRESS TABLES SECONDS RATE [GAME]
// KIND azalai or boardgame.io. With RATE moves a second arrive whether or not earlier ones are done; with RATE 0 as many tables
// as INFLIGHT play at once, each as fast as the server lets them. Prints one line of JSON.
import { io } from 'socket.io-client'
import { readFileSync } from 'node:fs'
import WebSocket from 'ws'

const [kind, address, tablesText, secondsText, rateText, game = 'targui'] = process.argv.slice(2)
const TABLES = Number(tablesText)
const SECONDS = Number(secondsText)
const RATE = Number(rateText)
const INFLIGHT = Number(process.env.INFLIGHT ?? 32)
const OPENING = 25 // tables opened at a time

// A table has `seats` views. `ready()`: somebody can move now. `move(done)`: do it, and say `done` when all seats have been told.
class Azalai {
  static async prepare() {
    Azalai.guests = []
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(`${address}/api/me`)
      Azalai.guests.push(answer.headers.get('set-cookie').split(';')[0])
    }
  }

  static ask(guest, path, body) {
    const headers = { 'content-type': 'application/json', cookie: Azalai.guests[guest] }
    return fetch(`${address}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).then(async (answer) => {
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    })
  }

  async open() {
    const table = await Azalai.ask(0, '/tables', { game, seats: [{ kind: 'me' }, { kind: 'open' }] })
    await Azalai.ask(1, `/tables/${table.id}/seats`, {})
    this.views = [null, null]
    this.waiting = null
    this.sockets = await Promise.all([0, 1].map((seat) => this.connect(table.id, seat)))
  }

  connect(id, seat) {
    return new Promise((resolve, reject) => {
      const url = `${address.replace('http', 'ws')}/api/tables/${id}/live?seat=${seat}`
      const socket = new WebSocket(url, { headers: { cookie: Azalai.guests[seat] }, perMessageDeflate: false })
      socket.on('error', reject)
      socket.on('message', (data) => {
        const message = JSON.parse(data)
        if (message.type === 'table') {
          if (!this.views[seat]) resolve(socket)
          this.views[seat] = message
          this.check()
        } else if (message.type === 'error') {
          problem(message)
        }
      })
    })
  }

  ready() {
    return this.waiting === null && this.views[0].status === 'playing'
  }

  move(done) {
    const seat = this.views[0].pending[0]
    const { ply, moves } = this.views[seat]
    const chosen = moves[Math.floor(Math.random() * moves.length)]
    this.waiting = { ply: ply + 1, done }
    this.sockets[seat].send(`{"type":"play","ply":${ply},"move":${chosen.id}}`)
  }

  check() {
    const { waiting } = this
    if (waiting && this.views.every((view) => view.ply >= waiting.ply)) {
      this.waiting = null
      waiting.done()
    }
  }

  close() {
    this.sockets.forEach((socket) => socket.terminate())
  }
}

// Matches are made by the first who asks for them, without credentials: the least work for its server.
class BoardgameIo {
  static async prepare() {}

  async open() {
    this.id = Math.random().toString(36).slice(2)
    this.states = [null, null]
    this.waiting = null
    this.sockets = [await this.connect(0), await this.connect(1)]
  }

  connect(seat) {
    return new Promise((resolve, reject) => {
      const socket = io(`${address}/desert`, { transports: ['websocket'], reconnection: false, forceNew: true })
      socket.on('connect_error', reject)
      socket.on('connect', () => socket.emit('sync', this.id, String(seat), undefined, 2))
      socket.on('sync', (id, info) => {
        this.states[seat] = info.state
        resolve(socket)
      })
      socket.on('update', (id, state) => {
        this.states[seat] = state
        this.check()
      })
    })
  }

  ready() {
    const state = this.states[0]
    return this.waiting === null && state.G.owner.includes(Number(state.ctx.currentPlayer))
  }

  move(done) {
    const state = this.states[0]
    const playerID = state.ctx.currentPlayer
    const { owner, camels } = state.G
    const mine = owner.flatMap((one, field) => (one === Number(playerID) ? [field] : []))
    const origin = mine[Math.floor(Math.random() * mine.length)]
    const x = origin % 7
    const near = [x > 0 && origin - 1, x < 6 && origin + 1, origin >= 7 && origin - 7, origin < 42 && origin + 7].filter((field) => field !== false)
    const target = near[Math.floor(Math.random() * near.length)]
    const action = {
      type: 'MAKE_MOVE',
      payload: { type: 'march', args: [origin, target, 1 + Math.floor(Math.random() * camels[origin])], playerID },
    }
    this.waiting = { ply: state._stateID + 1, done }
    this.sockets[Number(playerID)].emit('update', action, state._stateID, this.id, playerID)
  }

  check() {
    const { waiting } = this
    if (waiting && this.states.every((state) => state._stateID >= waiting.ply)) {
      this.waiting = null
      waiting.done()
    }
  }

  close() {
    this.sockets.forEach((socket) => socket.close())
  }
}

const problems = []
function problem(message) {
  problems.push(message)
  if (problems.length > 20) throw new Error(JSON.stringify(problems.slice(0, 3)))
}

const Kind = kind === 'azalai' ? Azalai : BoardgameIo
await Kind.prepare()
const tables = Array.from({ length: TABLES }, () => new Kind())
for (let i = 0; i < TABLES; i += OPENING) await Promise.all(tables.slice(i, i + OPENING).map((table) => table.open()))

// Seconds of processor time the server has used with all its processes, where the system tells.
function cpu() {
  try {
    const server = process.env.SERVER_PID
    const others = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').split(' ').filter(Boolean)
    return [server, ...others].reduce((sum, one) => {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ')
      return sum + (Number(fields[11]) + Number(fields[12])) / 100
    }, 0)
  } catch {
    return NaN
  }
}

const before = cpu()
const busyBefore = process.cpuUsage()
const latencies = []
let behind = 0
let until = performance.now() + SECONDS * 1000
let begun = performance.now()
const someReady = () => {
  for (let tries = 0; tries < 50; tries++) {
    const table = tables[Math.floor(Math.random() * TABLES)]
    if (table.ready()) return table
  }
  return null
}
function play(next) {
  const table = someReady()
  if (!table) {
    behind++
    if (next) setTimeout(next, 1)
    return
  }
  const sent = performance.now()
  table.move(() => {
    latencies.push(performance.now() - sent)
    if (next) next()
  })
}

await new Promise((resolve) => {
  if (RATE) {
    let made = 0
    const timer = setInterval(() => {
      const time = performance.now()
      if (time > until) {
        clearInterval(timer)
        setTimeout(resolve, 1000)
        return
      }
      for (const due = ((time - begun) / 1000) * RATE; made < due; made++) play(null)
    }, 2)
  } else {
    let running = INFLIGHT
    const next = () => {
      if (performance.now() > until) {
        if (--running === 0) resolve()
      } else play(next)
    }
    for (let i = 0; i < INFLIGHT; i++) next()
  }
})
const after = cpu()
const busy = process.cpuUsage(busyBefore)
const seconds = (RATE ? until : performance.now()) / 1000 - begun / 1000
latencies.sort((a, b) => a - b)
const at = (share) => Number((latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? NaN).toFixed(2))
console.log(
  JSON.stringify({
    kind,
    tables: TABLES,
    moves: latencies.length,
    moves_per_second: Math.round(latencies.length / seconds),
    median_ms: at(0.5),
    p99_ms: at(0.99),
    worst_ms: at(1),
    behind,
    problems: problems.length,
    cpu_marks: [before, after],
    generator: (busy.user + busy.system) / 1e6 / seconds,
  }),
)
tables.forEach((table) => table.close())
process.exit(0)
