"""The CUDA driver, as far as a batch needs it: memory, kernels, and waiting for them.

Everything runs in the device's primary context and on its default stream, as PyTorch, CuPy and JAX do by default: what they and a
batch do with the same array happens in the order of the calls. Nothing but the driver has to be installed.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from azalai.engine.errors import AzalaiError

BLOCK = 128  # threads a block, unless a launch says otherwise

_MAX_REGISTERS, _ERROR_LOG, _ERROR_LOG_SIZE = 0, 5, 6  # options of cuModuleLoadDataEx
_LOG_SIZE = 4096
_STATIC_SHARED, _DYNAMIC_SHARED = 1, 8  # attributes of a function: bytes of shared memory that it has; the most it may be given
_MOST_SHARED = 97  # an attribute of a device: the most shared memory that a block can have


class NoDevice(AzalaiError):
    """There is no GPU that could be used, or nothing to run on it."""


@functools.cache
def _library() -> ctypes.CDLL:
    for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NoDevice("there is no NVIDIA driver on this machine: without a GPU, leave out device='cuda'")


def _call(function: str, *arguments: Any) -> None:
    """Call a function of the driver; raise AzalaiError with the driver's own words where that fails."""
    code = getattr(_library(), function)(*arguments)
    if code:
        text = ctypes.c_char_p()
        _library().cuGetErrorString(code, ctypes.byref(text))
        reason = (text.value or b"unknown error").decode()
        raise NoDevice(f"the GPU cannot be used: {function} says {reason!r} ({code})")


@functools.cache
def device(number: int = 0) -> Device:
    """A GPU by its number."""
    return Device(number)


def device_called(name: str) -> Device:
    """The GPU that `cuda` or `cuda:1` names."""
    kind, _, number = name.partition(":")
    if kind != "cuda" or not (number or "0").isdecimal():
        raise NoDevice(f"a device is called cpu, cuda or cuda:1, not {name!r}")
    return device(int(number or 0))


class Device:
    """A GPU with its primary context."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._context = ctypes.c_void_p()
        found = ctypes.c_int()
        _call("cuInit", 0)
        _call("cuDeviceGet", ctypes.byref(found), number)
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), found)
        most = ctypes.c_int()
        _call("cuDeviceGetAttribute", ctypes.byref(most), _MOST_SHARED, found)
        self.shared = most.value  # bytes of shared memory that a block can have

    def use(self) -> None:
        """Make this the GPU of the calling thread."""
        _call("cuCtxSetCurrent", self._context)

    def synchronize(self) -> None:
        """Wait until all work is done."""
        self.use()
        _call("cuStreamSynchronize", None)

    def allocate(self, size: int) -> DeviceMemory:
        """Reserve so many bytes, all 0."""
        return DeviceMemory(self, size)

    def load(self, text: bytes, registers: int = 0) -> ctypes.c_void_p:
        """Compile PTX for this GPU; with at most so many registers a thread, where a number is given."""
        self.use()
        log = ctypes.create_string_buffer(_LOG_SIZE)
        options = {_ERROR_LOG: ctypes.addressof(log), _ERROR_LOG_SIZE: _LOG_SIZE}
        if registers:
            options[_MAX_REGISTERS] = registers
        module = ctypes.c_void_p()
        keys, values = (ctypes.c_int * len(options))(*options), (ctypes.c_void_p * len(options))(*options.values())
        try:
            _call("cuModuleLoadDataEx", ctypes.byref(module), text, len(options), keys, values)
        except NoDevice as error:
            raise NoDevice(f"{error} {log.value.decode(errors='replace')}".strip()) from None
        return module

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        found = ctypes.c_void_p()
        _call("cuModuleGetFunction", ctypes.byref(found), module, name.encode())
        return found

    def room(self, function: ctypes.c_void_p) -> int:
        """How many bytes of shared memory a block can have beside those that the kernel itself declares."""
        own = ctypes.c_int()
        _call("cuFuncGetAttribute", ctypes.byref(own), _STATIC_SHARED, function)
        return self.shared - own.value


class DeviceMemory:
    """A piece of a GPU's memory, which is given back when nothing refers to it any more."""

    def __init__(self, device: Device, size: int) -> None:
        self.device, self.size = device, size
        self._address = ctypes.c_uint64()
        device.use()
        _call("cuMemAlloc_v2", ctypes.byref(self._address), ctypes.c_size_t(max(size, 1)))
        self.fill(0)

    @property
    def address(self) -> int:
        """Where it begins."""
        return self._address.value

    def fill(self, byte: int) -> None:
        """Set all bytes."""
        self.device.use()
        _call("cuMemsetD8Async", self._address, ctypes.c_ubyte(byte), ctypes.c_size_t(self.size), None)

    def __del__(self) -> None:
        if self._address.value:
            self.device.use()
            _library().cuMemFree_v2(self._address)


def read(device: Device, address: int, target: np.ndarray[Any, Any]) -> None:
    """Copy from the GPU into an array, when all work before is done."""
    device.use()
    _call("cuMemcpyDtoH_v2", ctypes.c_void_p(target.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(target.nbytes))


def write(device: Device, address: int, source: np.ndarray[Any, Any]) -> None:
    """Copy an array to the GPU."""
    device.use()
    _call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(source.ctypes.data), ctypes.c_size_t(source.nbytes))


def move(device: Device, address: int, source: int, size: int) -> None:
    """Copy bytes from one place on the GPU to another."""
    device.use()
    _call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(address), ctypes.c_uint64(source), ctypes.c_size_t(size), None)


class Launch:
    """A kernel with its arguments, ready to be started again and again: only what changes is written anew.

    Numbers are passed as 8 bytes. An array is passed as Numba-CUDA lays it out: two unused words, the number of its items, their
    size, the address, the shape, the strides.
    """

    def __init__(
        self,
        device: Device,
        function: ctypes.c_void_p,
        threads: int,
        arguments: Sequence[Any],
        block: int = BLOCK,
        shared: int = 0,  # bytes of shared memory a block, beside those that the kernel declares
    ) -> None:
        self._device, self._function, self._block, self._shared = device, function, block, shared
        self._blocks = -(-threads // block)
        if shared:
            _call("cuFuncSetAttribute", function, _DYNAMIC_SHARED, shared)
        self._kept = arguments  # so that the memory of arrays is not given back
        words: list[int] = []
        self._starts: list[int] = []
        for argument in arguments:
            self._starts.append(len(words))
            words += _words(argument)
        self._words = (ctypes.c_uint64 * len(words))(*words)
        base = ctypes.addressof(self._words)
        self._pointers = (ctypes.c_void_p * len(words))(*(base + 8 * index for index in range(len(words))))

    def set(self, index: int, argument: Any) -> None:
        """Change an argument."""
        for offset, word in enumerate(_words(argument)):
            self._words[self._starts[index] + offset] = word

    def __call__(self) -> None:
        """Start the kernel; it runs after all work that was started before."""
        self._device.use()
        size = (self._blocks, 1, 1, self._block, 1, 1)
        _call("cuLaunchKernel", self._function, *size, self._shared, None, self._pointers, None)


def _words(argument: Any) -> list[int]:
    if isinstance(argument, int):
        return [argument & 0xFFFFFFFFFFFFFFFF]
    interface = argument.__cuda_array_interface__
    shape, size = interface["shape"], np.dtype(interface["typestr"]).itemsize
    strides = interface.get("strides")
    if strides is None:
        strides = [int(np.prod(shape[axis + 1 :], dtype=np.int64)) * size for axis in range(len(shape))]
    return [0, 0, int(np.prod(shape, dtype=np.int64)), size, interface["data"][0], *shape, *strides]
