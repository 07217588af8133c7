"""Sessions that can be ended, guests who can be banned; tables that go on from another game are marked."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

tables = sa.table(
    "tables",
    sa.column("id", sa.String),
    sa.column("seed", sa.BigInteger),
    sa.column("setup", sa.JSON),
    sa.column("created", sa.BigInteger),
    sa.column("public", sa.Boolean),
)


def upgrade() -> None:
    op.add_column("guests", sa.Column("epoch", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("guests", sa.Column("banned", sa.BigInteger))
    _mark_known_deals()


def _mark_known_deals() -> None:
    """Mark tables dealt from the seed of an earlier one: seeds are random, so they go on from its game."""
    connection = op.get_bind()
    shared = sa.select(tables.c.seed).group_by(tables.c.seed).having(sa.func.count() > 1)
    seen = set()
    for one in connection.execute(sa.select(tables).where(tables.c.seed.in_(shared)).order_by(tables.c.created)).all():
        if one.seed in seen and not one.setup.get("imported"):
            change = sa.update(tables).where(tables.c.id == one.id)
            connection.execute(change.values(setup={**one.setup, "known": True}, public=False))
        seen.add(one.seed)


def downgrade() -> None:
    op.drop_column("guests", "banned")
    op.drop_column("guests", "epoch")
