"""What is known about playing each game well: wisdom, not rules."""
