"""Hexwright: VASSAL modules, print sheets and refereed logs from one set of game data."""

__version__ = "0.1.0"
