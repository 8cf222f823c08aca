"""Random systems judged by something that shares no code with Cardan, or by identities that need no oracle."""
