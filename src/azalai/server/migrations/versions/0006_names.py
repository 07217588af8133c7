"""Passkeys, public profiles, results and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guests", sa.Column("player", sa.String(16)))
    op.add_column("guests", sa.Column("shown", sa.JSON))
    op.create_index("guests_by_player", "guests", ["player"], unique=True)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seat", sa.BigInteger, primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("players", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("bot", sa.String(40)),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("out", sa.String(8)),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("new_mu", sa.Float),
        sa.Column("new_sigma", sa.Float),
        sa.Index("results_by_pool", "rated", "game", "players", "at", "table_id"),
        sa.Index("results_to_rate", "rated", "new_mu"),
    )
    op.create_table(
        "ratings",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("players", sa.BigInteger, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("ratings_by_pool", "game", "players", "games"),
    )


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("results")
    op.drop_table("passkeys")
    op.drop_index("guests_by_player", "guests")
    op.drop_column("guests", "shown")
    op.drop_column("guests", "player")
