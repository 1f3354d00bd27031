"""Bots at tables: which are allowed there, and the worker processes that compute their moves."""

from __future__ import annotations

from .allowed import BOT_NAMES, check_table_bot, table_bots
from .pool import BotFailed, BotPool, BotsBusy, Cancelled

__all__ = ["BOT_NAMES", "BotFailed", "BotPool", "BotsBusy", "Cancelled", "check_table_bot", "table_bots"]
