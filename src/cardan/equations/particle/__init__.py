"""The representative particle of a system as objects: where it is, its basis vectors, its inner product, its loads.

Hemingway & O'Reilly (2017), sections 2 and 3, after Casey.
"""
