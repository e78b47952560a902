"""Scenes (display lists), what makes them from a game, and the one painter."""
