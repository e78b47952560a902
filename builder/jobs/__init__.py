"""The jobs: each reads data, calls the layers below and writes one result."""
