"""Reviews of finished games are kept with them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

jobs = sa.table("jobs", sa.column("kind", sa.String))


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("renewed", sa.BigInteger, nullable=False),
    )
    op.execute(sa.delete(jobs).where(jobs.c.kind == "game"))  # whole games are reviewed now


def downgrade() -> None:
    op.drop_table("reviews")
