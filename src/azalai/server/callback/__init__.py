"""Calls people back to their tables: by push message, mail, webhook and feed."""
