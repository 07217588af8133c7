"""Tournaments: who takes part, who plays whom at which table, and how it ended."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("seats", sa.BigInteger, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("bot", sa.String(40)),
        sa.Column("creator", sa.String(32), nullable=False, index=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
    )
    op.create_index("tournaments_by_status", "tournaments", ["status", "updated"])
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String(32), sa.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("bot", sa.String(40)),
        sa.Column("draw", sa.BigInteger),
        sa.Column("removed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "pairings",
        sa.Column("tournament_id", sa.String(32), sa.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("round_no", sa.BigInteger, primary_key=True),
        sa.Column("match_no", sa.BigInteger, primary_key=True),
        sa.Column("game_no", sa.BigInteger, primary_key=True),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("table_id", sa.String(32), unique=True),
        sa.Column("places", sa.JSON),
    )


def downgrade() -> None:
    for name in ("pairings", "entrants", "tournaments"):
        op.drop_table(name)
