"""What games are made of. Knows no game."""
