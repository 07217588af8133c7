"""Drop planned moves: no client used them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("plans")


def downgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.BigInteger, primary_key=True),
        sa.Column("moves", sa.JSON, nullable=False),
        sa.Column("dropped", sa.Text),
    )
