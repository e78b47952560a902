"""The referee's core: rulings, breaches, dice, sequence of play."""
