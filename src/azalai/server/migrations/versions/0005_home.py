"""When a game last went on, and how it ended for whom; whom guests have blocked or muted; vacations; reports."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
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
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(32), nullable=False),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said", sa.JSON, nullable=False),
        sa.Column("settled", sa.BigInteger),
    )
    op.create_index("ix_reports_guest", "reports", ["guest"])


def downgrade() -> None:
    op.drop_table("reports")
    op.drop_table("vacations")
    op.drop_table("attitudes")
    op.drop_column("players", "score")
    op.drop_column("players", "place")
    op.drop_column("tables", "acted")
