"""When a game last went on, and how it ended for whom; whom guests have blocked or muted; vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("acted", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET acted = updated")
    op.add_column("players", sa.Column("place", sa.BigInteger))
    op.add_column("players", sa.Column("score", sa.BigInteger))
    op.create_table(
        "attitudes",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("other", sa.String(32), primary_key=True),
        sa.Column("blocked", sa.Boolean, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False),
    )
    op.create_index("ix_attitudes_other", "attitudes", ["other"])
    op.create_table(
        "vacations",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("begins", sa.BigInteger, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("vacations")
    op.drop_table("attitudes")
    op.drop_column("players", "score")
    op.drop_column("players", "place")
    op.drop_column("tables", "acted")
