"""Alembic's entry: migrations run inside the transaction that the server, or a developer's command, hands over."""

from alembic import context

from azalai.server.rows import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True)
context.run_migrations()
