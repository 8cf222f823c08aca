"""Pictures of motions."""
