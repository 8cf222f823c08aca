"""Random files and expressions, most of them wrong: each is loaded or refused by a FileError, and soon."""
