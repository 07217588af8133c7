"""A decision as a function of machine code that Python calls like its own: it takes and returns Python's objects.

Numba's way into compiled code looks at every argument and takes longer than the rules of a small game. This way the interpreter
calls the machine code itself, which calls functions of Python's C interface, by their names and only from its stable part. It
knows nothing of how objects lie in memory. The interpreter's lock is held for all of the decision, a few microseconds at most.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from array import array
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from azalai.engine.flow import NOTHING
from azalai.engine.rule import cache_folder, records
from azalai.engine.specialize import entry, inner
from azalai.engine.steps import LEGAL, NOW, PAST, PLACE_SHIFT, Decide, Steps

WORD = 8  # bytes
METH_FASTCALL = 0x80  # arguments come as an array of addresses

ADDRESS = types.int64  # of an object, or of memory
NUMBER = types.int64


def _c_function(name: str, result: Any, *arguments: Any) -> Any:
    return types.ExternalFunction(name, result(*arguments))


# Those that return an object return 0 and leave an exception behind where that fails. "Borrowed" objects are not counted, and
# what is put into a list or tuple is counted no more outside of it.
add_reference = _c_function("Py_IncRef", types.void, ADDRESS)
drop_reference = _c_function("Py_DecRef", types.void, ADDRESS)  # of nothing, too
new_bytes = _c_function("PyBytes_FromStringAndSize", ADDRESS, ADDRESS, NUMBER)
memory_of = _c_function("PyBytes_AsString", ADDRESS, ADDRESS)
size_of = _c_function("PyBytes_Size", NUMBER, ADDRESS)
value_of = _c_function("PyLong_AsLongLong", NUMBER, ADDRESS)
new_list = _c_function("PyList_New", ADDRESS, NUMBER)
item_of_list = _c_function("PyList_GetItem", ADDRESS, ADDRESS, NUMBER)  # borrowed
append = _c_function("PyList_Append", types.int32, ADDRESS, ADDRESS)
put_into_list = _c_function("PyList_SetItem", types.int32, ADDRESS, NUMBER, ADDRESS)
item_of_dict = _c_function("PyDict_GetItemWithError", ADDRESS, ADDRESS, ADDRESS)  # borrowed; 0 also where there is none
new_tuple = _c_function("PyTuple_New", ADDRESS, NUMBER)
item_of_tuple = _c_function("PyTuple_GetItem", ADDRESS, ADDRESS, NUMBER)  # borrowed
put_into_tuple = _c_function("PyTuple_SetItem", types.int32, ADDRESS, NUMBER, ADDRESS)
refuse_arguments = _c_function("PyErr_BadArgument", types.int32)


@intrinsic
def word(_: Any, address: Any) -> Any:
    """Return the word that lies at an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(builder.inttoptr(values[0], ir.IntType(8 * WORD).as_pointer()))

    return NUMBER(ADDRESS), generate


@intrinsic
def call_rule(_: Any, code: Any, record: Any, move: Any, outcome: Any) -> Any:
    """Call `flow.advance` by the address of its code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        number = ir.IntType(8 * WORD)
        kind = ir.FunctionType(ir.PointerType(ir.IntType(8)), [number] * 3)
        builder.call(builder.inttoptr(values[0], kind.as_pointer()), values[1:])
        return context.get_dummy_value()

    return types.void(ADDRESS, ADDRESS, NUMBER, ADDRESS), generate


def _carry_out(numbers: int, current: int, number: int, before: int, events: int) -> Any:
    """Carry a decision out; return its events, or what else `Steps.decide` returns, or 0 for an exception.

    `numbers` is the address of those that `deciding` lists.
    """
    code, record_size = word(numbers), word(numbers + WORD)
    outcome, outcome_size, none = word(numbers + 2 * WORD), word(numbers + 3 * WORD), word(numbers + 4 * WORD)
    now, legal, past = item_of_list(current, NOW), item_of_list(current, LEGAL), item_of_list(current, PAST)
    if now == 0 or legal == 0 or past == 0 or size_of(now) != record_size:
        refuse_arguments()
        return 0
    chosen, move = none, NOTHING
    if legal != none:
        by_id = item_of_tuple(legal, 0)
        if by_id == 0:
            return 0
        chosen = item_of_dict(by_id, number)
        if chosen == 0:
            add_reference(none)
            return none
        move = value_of(number)
    after = new_bytes(memory_of(now), record_size)
    if after == 0:
        return 0

    call_rule(code, memory_of(after), move, outcome)

    following = kept(numbers + 5 * WORD, word(outcome))
    known = following != 0
    for index in range(word(outcome + WORD)):
        event = kept(numbers + 7 * WORD, word(outcome + (2 + index) * WORD)) if known else 0
        known = event != 0
        if known and append(events, event) != 0:
            drop_reference(after)
            return 0
    if not known:
        return pair(after, new_bytes(outcome, outcome_size))

    add_reference(following)
    if move == NOTHING:
        drop_reference(after)
        drop_reference(before)
    else:
        add_reference(past)
        add_reference(now)
        add_reference(chosen)
        put_into_tuple(before, 0, past)
        put_into_tuple(before, 1, now)
        put_into_tuple(before, 2, chosen)
        put_into_list(current, NOW, after)
        put_into_list(current, PAST, before)
    put_into_list(current, LEGAL, following)
    return events


def _pair(first: int, second: int) -> Any:
    """Return a tuple of two objects, which are counted no more outside of it, or 0."""
    made = new_tuple(2) if second != 0 else 0
    if made == 0:
        drop_reference(first)
        drop_reference(second)
        return 0
    put_into_tuple(made, 0, first)
    put_into_tuple(made, 1, second)
    return made


def _kept(numbers: int, key: int) -> Any:
    """Return the object of a key in a `Kept`, borrowed, or 0; `numbers` are the addresses of its keys and things."""
    place = key >> PLACE_SHIFT
    return item_of_list(word(numbers + WORD), place) if word(word(numbers) + place * WORD) == key else 0


carry_out, pair, kept = inner(_carry_out), inner(_pair), inner(_kept)


def decide(context: int, arguments: int, count: int) -> int:
    """Do what `Steps.decide` does. `context` is the tuple that `deciding` makes."""
    if count != 2:
        refuse_arguments()
        return 0
    # Making tuples and lists may run Python code, and so other threads, which may come here, too: that is done before the rest.
    before, events = new_tuple(3), new_list(0)
    made = 0
    if before != 0 and events != 0:
        made = carry_out(memory_of(item_of_tuple(context, 0)), word(arguments), word(arguments + WORD), before, events)
    if made == 0 or made != events:
        drop_reference(before)
        drop_reference(events)
    return made


class _Definition(ctypes.Structure):
    """What Python wants to know of a function: `PyMethodDef`."""

    _fields_ = [("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("about", ctypes.c_char_p)]


_making = threading.Lock()
_made: list[_Definition] = []


def _definition() -> _Definition:
    """Return the definition of `decide`, which Python's functions refer to for good: one for all threads, which nobody frees."""
    with _making:
        if not _made:
            compiled = entry(decide, cache_folder(), shared=True)
            address = compiled.address((ADDRESS, ADDRESS, NUMBER))
            _made.append(_Definition(b"decide", address, METH_FASTCALL, b"See azalai.engine.steps."))
    return _made[0]


def possible() -> bool:
    """Return whether this Python can be given functions so: it has 64 bits and locks its objects."""
    return sys.maxsize > 1 << 32 and getattr(sys, "_is_gil_enabled", lambda: True)()


def deciding(steps: Steps, code: int) -> Decide:
    """Return a function that does what `Steps.decide` does. `code` is the address of `flow.advance` for the game."""
    outcome, record_size = records(1, steps.outcome), steps.game.schema.dtype.itemsize
    kept = steps.lists.keys, steps.lists.things, steps.events.keys, steps.events.things
    addresses = [one.buffer_info()[0] if isinstance(one, array) else id(one) for one in kept]
    numbers = [code, record_size, outcome.ctypes.data, outcome.nbytes, id(None), *addresses]
    context = np.array(numbers, np.int64).tobytes(), outcome, kept  # these live as long as the function
    made: Decide = _new_function(ctypes.addressof(_definition()), context, __name__)
    return made


_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)
