"""First tries of puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("puzzle", sa.String(64), primary_key=True, index=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("streak", sa.BigInteger, nullable=False),
        sa.Column("best_streak", sa.BigInteger, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("puzzle_tries_in_order", "puzzle_tries", ["guest", "number"], unique=True)


def downgrade() -> None:
    op.drop_table("puzzle_tries")
