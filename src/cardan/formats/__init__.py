"""Model files: YAML without surprises, a schema, and a parser of expressions that executes nothing."""
