"""The commands."""


def main() -> None:
    """The `azalai` command."""
