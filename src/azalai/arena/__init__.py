"""Many games: who wins, by how much, how fast."""
