"""VASSAL's formats, both directions."""
