"""The rules of Airdrop: paratroop landings (chapter E, section 9)."""
