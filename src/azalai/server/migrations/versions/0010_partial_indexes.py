"""Indexes of tables hold only those that are looked for by them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("tables_by_wake", "tables")
    op.drop_index("tables_by_status", "tables")
    due = sa.column("wake", sa.BigInteger).is_not(None)
    op.create_index("tables_by_wake", "tables", ["wake"], sqlite_where=due, postgresql_where=due)
    public, in_sqlite = sa.column("public", sa.Boolean), sa.column("public", sa.BigInteger) == 1
    op.create_index("tables_by_status", "tables", ["status", "updated"], sqlite_where=in_sqlite, postgresql_where=public)


def downgrade() -> None:
    op.drop_index("tables_by_wake", "tables")
    op.drop_index("tables_by_status", "tables")
    op.create_index("tables_by_wake", "tables", ["wake"])
    op.create_index("tables_by_status", "tables", ["public", "status", "updated"])
