"""The shared words: frozen records that cross between rooms, the error tree, the settings.

Nothing here asks a network, opens a file or imports another room. The path of an evaluation is seven functions:
``register_endpoint`` → ``probe`` → ``run`` → ``measure`` → ``score`` → ``assess`` → ``render``; each hands one
of these records to the next (docs/architecture.md).
"""
