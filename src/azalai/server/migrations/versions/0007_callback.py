"""How guests want to be called back, what is to be told them, and the queue of messages."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "call_settings",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.BigInteger),
        sa.Column("quiet_to", sa.BigInteger),
        sa.Column("turn", sa.Boolean, nullable=False),
        sa.Column("invited", sa.Boolean, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("called", sa.BigInteger, nullable=False),
        sa.Column("feed", sa.String(64), unique=True),
    )
    op.create_table(
        "contacts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("keys", sa.JSON, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sa.Column("problem", sa.String(40)),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "calls",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, index=True),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("contact", sa.String(32), sa.ForeignKey("contacts.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("message", sa.JSON, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
        sa.Column("attempts", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for name in ("deliveries", "calls", "contacts", "call_settings"):
        op.drop_table(name)
