"""Changes that lift a finding, each tried on a copy of the system before it is offered."""
