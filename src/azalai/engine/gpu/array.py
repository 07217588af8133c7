"""An array in a GPU's memory, which PyTorch, CuPy and JAX can wrap without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from azalai.engine.gpu import driver
from azalai.engine.gpu.driver import Device, DeviceMemory

CUDA = 2  # how DLPack numbers the kinds of devices
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # and the kinds of numbers


class DeviceArray:
    """An array that stays on the GPU.

    `torch.from_dlpack(array)` and `cupy.asarray(array)` share its memory; `numpy()` copies it.
    """

    def __init__(
        self,
        device: Device,
        shape: tuple[int, ...],
        dtype: Any,
        memory: DeviceMemory | None = None,
        offset: int = 0,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.device = device
        self.shape = shape
        self.dtype = np.dtype(dtype)
        usual = [self.dtype.itemsize * int(np.prod(shape[axis + 1 :], dtype=np.int64)) for axis in range(len(shape))]
        self.strides = tuple(usual) if strides is None else strides
        self.memory = device.allocate(self.nbytes) if memory is None else memory
        self._offset = offset

    @property
    def nbytes(self) -> int:
        """How many bytes its items have."""
        return int(np.prod(self.shape, dtype=np.int64)) * int(self.dtype.itemsize)

    @property
    def address(self) -> int:
        """Where it begins."""
        return self.memory.address + self._offset

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, field: str) -> DeviceArray:
        """A field of an array of records: a view."""
        if self.dtype.fields is None:
            raise TypeError("this array has no fields; wrap it by PyTorch or CuPy to take parts of it")
        kind, start = self.dtype.fields[field][:2]
        inner = np.empty(kind.shape, kind.base).strides
        shape, strides = (*self.shape, *kind.shape), (*self.strides, *inner)
        return DeviceArray(self.device, shape, kind.base, self.memory, self._offset + start, strides)

    def view(self, shape: tuple[int, ...], dtype: Any) -> DeviceArray:
        """The same bytes as other numbers."""
        return DeviceArray(self.device, shape, dtype, self.memory, self._offset)

    def transposed(self) -> DeviceArray:
        """The same array with its axes in the opposite order: a view."""
        return DeviceArray(self.device, self.shape[::-1], self.dtype, self.memory, self._offset, self.strides[::-1])

    def fill_zero(self) -> None:
        """Set every byte of its memory to 0."""
        self.memory.fill(0)

    def assign(self, source: Any) -> None:
        """Copy from an array of the host, of the same shape."""
        cells = np.ascontiguousarray(source, self.dtype)
        if cells.shape != self.shape:
            raise ValueError(f"an array of shape {self.shape} cannot be filled from one of shape {cells.shape}")
        driver.write(self.device, self.address, cells)

    def copy(self) -> DeviceArray:
        """A copy on the GPU, to the last byte."""
        twin = DeviceArray(self.device, self.shape, self.dtype)
        driver.move(self.device, twin.address, self.address, self.nbytes)
        return twin

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy in the host's memory."""
        span = 1 + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides)) - 1 + self.dtype.itemsize
        raw = np.empty(span if min(self.shape, default=1) else 0, np.uint8)
        if raw.size:
            driver.read(self.device, self.address, raw)
        cells = np.ndarray(self.shape, self.dtype, raw, strides=self.strides)
        return cells if cells.flags.c_contiguous else np.ascontiguousarray(cells)

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device=cuda:{self.device.number})"

    # ------------------------------------------------------------ sharing

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """See numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html; stream 1 is the default stream."""
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": self.strides,
            "stream": 1,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.device.number

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        """A capsule as the array API standard describes it; the taker's stream waits for what was started before."""
        if self.dtype.kind not in _CODES:
            raise BufferError("records are not shared by DLPack; share a field, or view(…, np.uint8)")
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array is shared where it is, without a copy")
        if stream not in (None, -1, 0, 1):
            self.device.synchronize()
        return _capsule(self)


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_shared: dict[int, Any] = {}  # what must live as long as somebody uses a shared tensor, by the address of its description


def _release(address: int) -> None:
    _shared.pop(address, None)


def _drop(capsule: int) -> None:
    """Release a capsule that nobody took: one that was taken has another name."""
    if ctypes.pythonapi.PyCapsule_IsValid(ctypes.c_void_p(capsule), b"dltensor"):
        _release(_pointer(ctypes.c_void_p(capsule), b"dltensor"))


_called_back = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_release_called, _drop_called = _called_back(_release), _called_back(_drop)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p)


def _capsule(array: DeviceArray) -> Any:
    rank, size = len(array.shape), array.dtype.itemsize
    shape = (ctypes.c_int64 * rank)(*array.shape)
    strides = (ctypes.c_int64 * rank)(*(stride // size for stride in array.strides))
    managed = _Managed()
    managed.tensor = _Tensor(
        array.address, CUDA, array.device.number, rank, _CODES[array.dtype.kind], size * 8, 1, shape, strides, 0
    )
    managed.deleter = ctypes.cast(_release_called, ctypes.c_void_p)
    address = ctypes.addressof(managed)
    _shared[address] = (managed, shape, strides, array)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(address, b"dltensor", ctypes.cast(_drop_called, ctypes.c_void_p))
