"""What can go wrong, each with a message that tells a person what would be right."""


class AzalaiError(Exception):
    """Something a user asked for that cannot be: the message is one clear line."""


class UnknownGame(AzalaiError, KeyError):
    """There is no game of that name."""

    __str__ = Exception.__str__


class BadOption(AzalaiError, ValueError):
    """A number of seats, an option or a seed that the game does not have."""


class IllegalMove(AzalaiError, ValueError):
    """A move that is not legal here, or not a move at all. Nothing has changed."""


class BadRecord(AzalaiError, ValueError):
    """A file or text that is not the record of a game this version can replay."""


class BadComponents(AzalaiError, ValueError):
    """Components that a game cannot be built from; the message names what is wrong in them."""


SHOWN = 60  # characters of a value that an error message shows


def brief(value: object) -> str:
    """Return a value for an error message: as Python writes it, shortened to one line."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of many thousand digits
        return "a number that is far too long"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 2]} …"
