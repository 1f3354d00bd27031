"""Bots at tables: which may sit there, and the processes in which they think."""

from __future__ import annotations

from .names import check_table_bot, roster
from .pool import BotFailed, BotPool, BotsBusy, Cancelled

__all__ = ["BotFailed", "BotPool", "BotsBusy", "Cancelled", "check_table_bot", "roster"]
