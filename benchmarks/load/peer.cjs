// boardgame.io's server with a game comparable to Targui: 49 fields, two tribes, secret hands, marches along open ways, a log of what happened.
// node peer.cjs PORT [FOLDER]: with a folder it stores matches there (its own FlatFile), else in memory, which is its default.
const { Server, FlatFile } = require('boardgame.io/server')
const { INVALID_MOVE } = require('boardgame.io/core')

const SIDE = 7
const FIELDS = SIDE * SIDE

function neighbours(field) {
  const x = field % SIDE
  const found = []
  if (x > 0) found.push(field - 1)
  if (x < SIDE - 1) found.push(field + 1)
  if (field >= SIDE) found.push(field - SIDE)
  if (field < FIELDS - SIDE) found.push(field + SIDE)
  return found
}

const Desert = {
  name: 'desert',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => {
    const owner = Array(FIELDS).fill(-1)
    const camels = Array(FIELDS).fill(0)
    for (let i = 0; i < 8; i++) {
      owner[i] = 0
      owner[FIELDS - 1 - i] = 1
      camels[i] = camels[FIELDS - 1 - i] = 9
    }
    return {
      owner,
      camels,
      terrain: Array.from({ length: FIELDS }, (_, i) => (i * 5) % 7),
      silver: [40, 40],
      herd: [99, 99],
      cards: [Array(12).fill(1), Array(12).fill(2)],
      events: [],
    }
  },
  playerView: ({ G, playerID }) => ({ ...G, cards: G.cards.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)) }),
  moves: {
    march: ({ G, playerID }, origin, target, count) => {
      const seat = Number(playerID)
      if (G.owner[origin] !== seat || G.camels[origin] < count || count < 1 || !neighbours(origin).includes(target)) return INVALID_MOVE
      G.camels[origin] -= count
      if (G.camels[origin] === 0) G.owner[origin] = -1
      if (G.owner[target] === seat || G.owner[target] === -1) {
        G.owner[target] = seat
        G.camels[target] += count
      } else if (G.camels[target] < count) {
        G.camels[target] = count - G.camels[target]
        G.owner[target] = seat
      } else {
        G.camels[target] -= count
      }
      if (G.camels[target] === 0) G.owner[target] = -1
      G.silver[seat] += G.owner.reduce((sum, one, field) => sum + (one === seat ? G.terrain[field] : 0), 0)
      const price = 4
      const bought = Math.min(Math.floor(G.silver[seat] / price), 5)
      const home = G.owner.indexOf(seat)
      if (home >= 0 && bought > 0) {
        G.silver[seat] -= bought * price
        G.camels[home] += bought
      }
      G.events = [
        { kind: 'marched', args: { seat, origin, target, camels: count } },
        { kind: 'bought', args: { seat, field: home, camels: bought } },
      ]
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
}

const [port, folder] = process.argv.slice(2)
const server = Server({ games: [Desert], origins: ['*'], ...(folder ? { db: new FlatFile({ dir: folder }) } : {}) })
server.run({ port: Number(port), callback: () => console.log('ready') })
