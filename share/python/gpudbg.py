# SPDX-License-Identifier: GPL-3.0-or-later
"""gpudbg from Python: launch GPU kernels without a GPU, stop, look, and go back in time.

    import gpudbg

    with gpudbg.open("matmul.co") as g:
        g.launch("matmul", (64, 64), (16, 16), gpudbg.zero(16384), a, b, 64)
        g.break_("matmul+0x40", condition="$v0[3] > 7")
        stop = g.run()                      # a Stop
        print(stop.message, g.lanes("v0"))  # an array, one value a lane
        g.back(10)
        print(g.last_write("*(f32*)(c+308)"))

A Gpudbg is one running program `gpudbg`.  Everything that it can do is a command: `g.command("info waves")` runs one
and returns its records as dicts (`gpudbg --batch -e 'help json'`); the methods are short ways to the frequent ones.  A
command that fails raises the Error of its kind.  Arrays are numpy's where numpy is installed, else lists.  This file
needs nothing else but Python 3.9 and the program: see `program` of `open`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type,
                    Union)

__version__ = "0.1.0"

CONVERSATION = 1  # the rules that this file knows: `help conversation`

Record = Dict[str, Any]
Number = Union[int, float]
Array = Any  # numpy.ndarray, or a list where numpy is not installed
Size = Union[int, Sequence[int]]
Place = Union[int, str]  # an address, or an expression such as "bins+16" or "lds:0"

numpy: Any
try:
    numpy = importlib.import_module("numpy")
except ImportError:
    numpy = None


# ---- Errors: one class a kind of `help errors` ----


class Error(Exception):
    """A command failed.  `kind` is a fixed word; `record` is the whole record, if gpudbg wrote one."""

    kind = ""

    def __init__(self, message: str, command: str = "", record: Optional[Record] = None) -> None:
        super().__init__(message)
        self.message = message
        self.command = command
        self.record: Record = record or {}

    def __str__(self) -> str:
        return f"{self.command}: {self.message}" if self.command else self.message


class Ended(Error):
    """The program has ended, or could not be started."""


class CommandError(Error):
    """What was asked for cannot be done."""


class FileError(Error):
    """A file cannot be read or written."""


class ProgramError(Error):
    """Text or a stream of an assembly language is wrong."""


class UnknownCommand(CommandError):
    kind = "unknown-command"


class Ambiguous(CommandError):
    kind = "ambiguous"


class Usage(CommandError):
    kind = "usage"


class Syntax(CommandError):
    kind = "syntax"


class NoSuchName(CommandError):
    kind = "no-such-name"


class NoFile(CommandError):
    kind = "no-file"


class NoLaunch(CommandError):
    kind = "no-launch"


class NoSource(CommandError):
    kind = "no-source"


class OutOfRange(CommandError):
    kind = "out-of-range"


class BadArgument(CommandError):
    kind = "bad-argument"


class NotNow(CommandError):
    kind = "not-now"


class NotWritable(CommandError):
    kind = "not-writable"


class Unknown(CommandError):
    kind = "unknown"


class OptimisedOut(CommandError):
    kind = "optimised-out"


class Limit(CommandError):
    kind = "limit"


class Interrupted(CommandError):
    kind = "interrupt"


class NoMemory(CommandError):
    kind = "memory"


class NotRecognised(FileError):
    kind = "not-recognised"


class Truncated(FileError):
    kind = "truncated"


class BadOffset(FileError):
    kind = "bad-offset"


class Unsupported(FileError):
    kind = "unsupported"


class TooLarge(FileError):
    kind = "too-large"


class Missing(FileError):
    kind = "missing"


class InputOutput(FileError):
    kind = "io"


class UnknownOpcode(ProgramError):
    kind = "unknown-opcode"


class OperandCount(ProgramError):
    kind = "operand-count"


class UnmatchedBlock(ProgramError):
    kind = "unmatched-block"


class UnclosedBlock(ProgramError):
    kind = "unclosed-block"


class UndeclaredRegister(ProgramError):
    kind = "undeclared-register"


class UndefinedLabel(ProgramError):
    kind = "undefined-label"


class Redefinition(ProgramError):
    kind = "redefinition"


class BadWriteMask(ProgramError):
    kind = "bad-write-mask"


class BadRegisterType(ProgramError):
    kind = "bad-register-type"


class BadEnum(ProgramError):
    kind = "bad-enum"


class BadVersion(ProgramError):
    kind = "bad-version"


class ReservedBits(ProgramError):
    kind = "reserved-bits"


class MissingEnd(ProgramError):
    kind = "missing-end"


def _kinds() -> Dict[str, Type[Error]]:
    families = (CommandError, FileError, ProgramError)
    return {kind.kind: kind for family in families for kind in family.__subclasses__()}


#: The class of each kind.  A kind that a newer gpudbg has is raised as Error, with its word in `kind`.
KINDS: Mapping[str, Type[Error]] = _kinds()


def _error(record: Record, command: str = "") -> Error:
    message, file = str(record.get("message", "")), record.get("file", "standard input")
    if file != "standard input":
        message = f"{file}:{record['line']}: {message}" if record.get("line") else f"{file}: {message}"
    error = KINDS.get(record.get("kind", ""), Error)(message, command, record)
    error.kind = str(record.get("kind", ""))
    return error


# ---- What gpudbg says ----


def _hears() -> Optional[Callable[[], Any]]:
    """What a child is to do before it runs gpudbg.  A shell lets programs in its background ignore SIGINT, and so do
    those that they start: nothing could interrupt them then."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        return None
    return lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)


def _int(word: Optional[str]) -> Optional[int]:
    """A machine quantity; None: it is not there, or nobody knows it."""
    return None if word is None or word == "unknown" else int(word, 0)


def _bytes(digits: Optional[str]) -> Optional[bytes]:
    return None if digits is None else bytes.fromhex(digits)


def _triple(value: Any) -> Tuple[int, int, int]:
    words = value.split(",") if isinstance(value, str) else value
    x, y, z = (int(word) for word in words)
    return x, y, z


@dataclasses.dataclass(frozen=True)
class Stop:
    """Where the program stands, and why it stopped."""

    reason: str  # breakpoint watchpoint step done fault check interrupt history-start
    position: int  # instructions that all waves have executed since the launch
    wave: int
    group: Tuple[int, int, int]
    pc: Optional[int]
    where: str
    message: str
    record: Record = dataclasses.field(repr=False)
    beside: List[Record] = dataclasses.field(repr=False)  # other records of the run: displays, what the kernel printed

    @property
    def done(self) -> bool:
        """Every wave has ended."""
        return self.reason == "done"

    @property
    def number(self) -> Optional[int]:
        """Of the breakpoint or watchpoint."""
        return self.record.get("number")

    @property
    def printed(self) -> str:
        """What the kernel printed since the stop before."""
        return "".join(str(r.get("text", "")) for r in self.beside if r["type"] == "printf")

    @classmethod
    def of(cls, r: Record, beside: List[Record]) -> Stop:
        return cls(r["reason"], r["position"], r["wave"], _triple(r["group"]), _int(r["pc"]), r["where"], r["message"],
                   r, beside)


@dataclasses.dataclass(frozen=True)
class Wave:
    """A wave, or a thread of Intel's EUs."""

    number: int
    state: str  # unstarted ready barrier ended
    group: Tuple[int, int, int]
    active: Optional[int]  # a bit a lane
    executed: int
    pc: Optional[int]
    where: str
    selected: bool


@dataclasses.dataclass(frozen=True)
class Lane:
    number: int
    state: str  # executes masked absent
    local: Optional[Tuple[int, int, int]]
    global_: Optional[Tuple[int, int, int]]


@dataclasses.dataclass(frozen=True)
class Buffer:
    name: str
    space: str
    addr: int
    size: int
    argument: Optional[int]  # its number
    flags: str


@dataclasses.dataclass(frozen=True)
class Write:
    """An instruction that wrote a register or memory."""

    position: int
    wave: int
    pc: Optional[int]
    text: str
    where: str
    lanes: Optional[int]  # a bit a lane
    old: Optional[str]
    new: Optional[str]
    record: Record = dataclasses.field(repr=False)

    @classmethod
    def of(cls, r: Record) -> Write:
        old, new = r.get("old_value", r.get("old")), r.get("new_value", r.get("new"))
        return cls(r["position"], r["wave"], _int(r.get("pc")), r.get("text", ""), r.get("where", ""),
                   _int(r.get("lanes")), old, new, r)


@dataclasses.dataclass
class Origin:
    """What a value was computed from.  `leaf` says why nothing stands below."""

    expression: str
    role: str  # value address choice
    value: str
    position: Optional[int]
    wave: Optional[int]
    pc: Optional[int]
    text: str  # the instruction
    where: str
    leaf: str
    cut: bool  # there is more below: ask with a greater depth
    inputs: List[Origin]

    def __iter__(self) -> Iterator[Origin]:
        """Itself, and everything below."""
        yield self
        for below in self.inputs:
            yield from below


@dataclasses.dataclass(frozen=True)
class Check:
    """A finding of a checker."""

    kind: str
    message: str
    pc: Optional[int]
    wave: Optional[int]
    lanes: Optional[int]
    position: Optional[int]
    count: int
    record: Record = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Finding:
    """A sentence of `explain`, and the lines of the dump that it rests on."""

    cause: str
    text: str
    evidence: List[Record]
    record: Record = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Insn:
    addr: int
    size: int
    bytes: bytes
    mnemonic: str
    text: str
    record: Record = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Breakpoint:
    """Also a context: `with g.break_("L0040"): ...` deletes it at the end."""

    number: int
    what: str
    owner: Gpudbg = dataclasses.field(repr=False)

    @property
    def hits(self) -> int:
        return int(self.owner.breakpoint_record(self.number)["hits"])

    def delete(self) -> None:
        self.owner.command(f"delete {self.number}")

    def enable(self, on: bool = True) -> None:
        self.owner.command(f"{'enable' if on else 'disable'} {self.number}")

    def condition(self, expression: str = "") -> None:
        """It stops only where the expression is true; "" removes it."""
        self.owner.command(f"condition {self.number} {expression}".strip())

    def ignore(self, count: int) -> None:
        self.owner.command(f"ignore {self.number} {count}")

    def __enter__(self) -> Breakpoint:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OutOfRange):  # one that is deleted when it stops may be gone
            self.delete()


# ---- Arrays and values ----

_FORMATS = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "f16": "e", "u32": "I", "i32": "i", "f32": "f", "u64": "Q",
            "i64": "q", "f64": "d"}


def _format(kind: str) -> str:
    if kind not in _FORMATS:
        raise ValueError(f"no type {kind!r}; the types are {' '.join(_FORMATS)}")
    return _FORMATS[kind]


def array(data: bytes, kind: str = "u32") -> Array:
    """Bytes of memory as an array of little-endian numbers of a type such as u32, i16 or f32."""
    size = struct.calcsize("<" + _format(kind))
    if len(data) % size:
        raise ValueError(f"{len(data)} bytes are not a multiple of {size}, the size of {kind}")
    if numpy is not None:
        return numpy.frombuffer(data, dtype="<" + kind[0] + str(size)).copy()
    return [value[0] for value in struct.iter_unpack("<" + _format(kind), data)]


def _of_bits(words: Iterable[str], kind: str) -> bytes:
    size = struct.calcsize("<" + _format(kind))
    bits = [_int(word) for word in words]
    if None in bits:
        raise Unknown("the dump does not contain the value")
    return b"".join((word or 0).to_bytes(size, "little") for word in bits)


def _place(place: Place) -> str:
    return hex(place) if isinstance(place, int) else place


def _quoted(word: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", word) + '"' if re.search(r"[\s\"'\\]", word) else word


# ---- Arguments of launch ----


def zero(size: int) -> str:
    """A buffer of so many bytes, all 0."""
    return f"zero:{size}"


def fill(size: int, byte: int) -> str:
    """A buffer of so many bytes of this value."""
    return f"fill:{size}:{byte:#x}"


def local(size: int) -> str:
    """So many bytes of local memory."""
    return f"local:{size}"


def _size(size: Size) -> str:
    return str(size) if isinstance(size, int) else ",".join(str(int(n)) for n in size)


# ---- The program ----


def _program(program: Union[str, os.PathLike[str], None]) -> str:
    """The one that was asked for; $GPUDBG; the one installed beside this file; the first of PATH."""
    said = program or os.environ.get("GPUDBG")
    if said:
        return os.fspath(said)
    here = pathlib.Path(__file__).resolve().parent
    for beside in ("../../../bin/gpudbg", "../../build/gpudbg"):  # PREFIX/share/gpudbg/python; share/python of a tree
        if os.access(here / beside, os.X_OK):
            return str((here / beside).resolve())
    return shutil.which("gpudbg") or "gpudbg"


def open(*files: Union[str, os.PathLike[str]], **options: Any) -> Gpudbg:
    """Opens files: code, then dumps beside it, or dumps alone; or a saved session.  See Gpudbg for the options."""
    return Gpudbg(*files, **options)


def demo(name: Optional[str] = None, **options: Any) -> Gpudbg:
    """A demo kernel that comes with gpudbg, launched, at its entry."""
    return Gpudbg(demo=name or "", **options)


class Gpudbg:
    """One running gpudbg.  Close it, or use it as a context: `with gpudbg.open("k.co") as g:`."""

    def __init__(self, *files: Union[str, os.PathLike[str]], isa: Optional[str] = None, raw: bool = False,
                 base: Optional[int] = None, format: Optional[str] = None, demo: Optional[str] = None,
                 plugins: Sequence[Union[str, os.PathLike[str]]] = (),
                 program: Union[str, os.PathLike[str], None] = None) -> None:
        """isa, raw, base, format, plugins: the options of the command line.  program: the gpudbg to run; else
        $GPUDBG, the one that is installed beside this file, or the first of PATH."""
        words = [_program(program), "--batch", "--json"]
        words += [f"--isa={isa}"] if isa is not None else []
        words += ["--raw"] if raw else []
        words += [f"--base={base:#x}"] if base is not None else []
        words += [f"--format={format}"] if format is not None else []
        words += [f"--demo={demo}" if demo else "--demo"] if demo is not None else []
        words += [f"--plugin={os.fspath(plugin)}" for plugin in plugins]
        words += ["-e", "-", "--", *(os.fspath(file) for file in files)]
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._saved = 0
        self._read = b""  # of a record that has not ended
        self._sent = 0  # lines of the conversation: the id of the latest
        self._errors = tempfile.TemporaryFile()
        try:  # of its own session, so that Ctrl-C at this terminal reaches Python alone, which passes it on
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, start_new_session=True, preexec_fn=_hears())
        except OSError as error:
            self._errors.close()
            raise Ended(f"{words[0]}: {error.strerror}") from error
        try:
            self._send("set conversation on")
            self._sent = 0
            self.opened = self._answer("show conversation", None, opening=True)  # what opening the files printed
        except BaseException:
            self.close()
            raise

    # -- the conversation --

    def _send(self, line: str) -> None:
        if "\n" in line or "\0" in line:
            raise ValueError("a command is one line")
        process = self._process
        if process is None or process.stdin is None:
            raise Ended("this gpudbg is closed", line)
        with contextlib.suppress(BrokenPipeError):  # it has ended: reading says why
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        self._sent += 1

    def _record(self, until: Optional[float]) -> Optional[Record]:
        """The next one; None: gpudbg has ended, or the time has come (then nothing was read)."""
        assert self._process is not None and self._process.stdout is not None
        out = self._process.stdout.fileno()
        while b"\n" not in self._read:
            if until is not None:
                with selectors.DefaultSelector() as waits:
                    waits.register(out, selectors.EVENT_READ)
                    if not waits.select(max(0.0, until - time.monotonic())):
                        return None
            piece = os.read(out, 1 << 16)
            if not piece:
                return None
            self._read += piece
        line, self._read = self._read.split(b"\n", 1)
        record: Record = json.loads(line)
        return record

    def _ended(self, line: str, records: List[Record]) -> Error:
        process = self._process
        status = process.wait() if process else None
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        self.close()
        for record in records:
            if record["type"] == "error":  # a file could not be loaded
                return _error(record)
        message = said[-1] if said else f"gpudbg has ended with status {status}"
        return Ended(message, line, {"status": status})

    def _answer(self, line: str, timeout: Optional[float], opening: bool = False) -> List[Record]:
        """Sends a line; the records up to its end.  A timeout, and Ctrl-C in Python, interrupt it."""
        until = None if timeout is None else time.monotonic() + timeout
        records: List[Record] = []
        begun = interrupt = False
        pressed: Optional[KeyboardInterrupt] = None
        self._send(line)
        while True:
            try:
                record = self._record(until)
            except KeyboardInterrupt as error:
                pressed, record, until = error, None, time.monotonic()
            process = self._process
            if record is None and (until is None or time.monotonic() < until):
                raise self._ended(line, records)
            if record is None:  # now, or as soon as gpudbg says that it has begun
                if process is not None and process.poll() is not None:
                    raise self._ended(line, records)
                interrupt, until = True, None
            elif record["type"] == "begin":
                begun = record["id"] == self._sent  # not the end of an answer that nobody waited for
                if begun and not opening:
                    records.clear()
            elif record["type"] == "end":
                if begun:
                    break
            else:
                records.append(record)
            if interrupt and begun and process is not None:
                process.send_signal(signal.SIGINT)
                interrupt = False
        if pressed is not None:
            raise pressed
        if opening:
            if records and records[-1].get("type") == "setting":
                records.pop()
            for record in records:
                if record["type"] == "error":
                    raise _error(record, "set conversation on" if record.get("line") == 1 else "")
        return records

    def command(self, line: str, timeout: Optional[float] = None, check: bool = True) -> List[Record]:
        """Runs a command line; its records.  Raises the error of the command, unless check is False.  After `timeout`
        seconds it is interrupted: a run then returns a stop of reason `interrupt`, anything else raises Interrupted."""
        records = self._answer(line, timeout)
        for record in records if check else ():
            if record["type"] == "error":
                raise _error(record, line)
        return records

    def commands(self, lines: Union[str, Iterable[str]]) -> List[Record]:
        """Runs lines, also with blocks (if, while, define, commands), as a script does; all their records."""
        records: List[Record] = []
        for line in lines.splitlines() if isinstance(lines, str) else lines:
            records += self.command(line)
        return records

    def _only(self, line: str, kind: str) -> List[Record]:
        return [record for record in self.command(line) if record["type"] == kind]

    def _one(self, line: str, kind: str) -> Record:
        records = self._only(line, kind)
        if not records:
            raise Error(f"gpudbg printed no record of type {kind}", line)
        return records[0]

    def close(self) -> None:
        """Ends the program, whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._errors.close()

    def __enter__(self) -> Gpudbg:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    def _path(self) -> str:
        """A new file's name."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="gpudbg-")
        self._saved += 1
        return os.path.join(self._folder.name, str(self._saved))

    # -- files and launches --

    def load(self, file: Union[str, os.PathLike[str]], isa: Optional[str] = None, raw: bool = False,
             base: Optional[int] = None) -> None:
        """Code in place of what is loaded, or a dump beside it."""
        words = ["file", *(["--isa", isa] if isa else []), *(["--raw"] if raw else [])]
        words += [f"--base {base:#x}"] if base is not None else []
        self.command(" ".join([*words, _quoted(os.fspath(file))]))

    def save_session(self, file: Union[str, os.PathLike[str]]) -> None:
        """All that is open, the launch and where it stands in time; gpudbg.open(FILE) goes on there."""
        self.command("save session " + _quoted(os.fspath(file)))

    def kernels(self) -> List[Record]:
        return self._only("info kernels", "kernel")

    def _argument(self, value: Any) -> str:
        """A word of launch.  What has bytes (bytes, numpy arrays, array.array) becomes a file."""
        if isinstance(value, str):
            return value
        if isinstance(value, os.PathLike):
            return _quoted("@" + os.fspath(value))
        if isinstance(value, (int, float)):  # also bool
            return str(int(value)) if isinstance(value, int) else repr(value)
        if numpy is not None and isinstance(value, numpy.generic):
            return self._argument(value.item())
        path = self._path()
        data = value.tobytes() if hasattr(value, "tobytes") else bytes(value)
        pathlib.Path(path).write_bytes(data)
        return _quoted("@" + path)

    def launch(self, kernel: Optional[str], global_size: Size, local_size: Size, *arguments: Any,
               offset: Optional[Size] = None, named: Optional[Mapping[str, Any]] = None, **more: Any) -> Record:
        """Launches a kernel and stops at its entry.  Arguments in the kernel's order, or by name (`named` holds those
        whose names are no words of Python: {"s[4:5]": ...}): a number; bytes or an array, the contents of a buffer;
        a Path, a file with them; zero(BYTES), fill(BYTES, BYTE), local(BYTES); or any word of `help launch`.  Returns
        the record `launch`.  Sizes and the global offset are in work-items.  kernel None: bare code, or the only
        kernel."""
        words = ["launch", *([kernel] if kernel else []), "-g", _size(global_size), "-l", _size(local_size)]
        words += ["-o", _size(offset)] if offset is not None else []
        words += [self._argument(value) for value in arguments]
        for name, value in {**(named or {}), **more}.items():
            words.append(f"{name}={self._argument(value)}")
        return self._one(" ".join(words), "launch")

    def relaunch(self) -> Record:
        """The last launch again, from its start."""
        return self._one("run", "launch")

    # -- breakpoints --

    def break_(self, place: Place, condition: Optional[str] = None, lane: Optional[int] = None,
               once: bool = False) -> Breakpoint:
        """Stops before an instruction: an address, a name, FILE:LINE or NAME+0x40."""
        words = ["tbreak" if once else "break", f"*{place:#x}" if isinstance(place, int) else place]
        words += [f"lane {lane}"] if lane is not None else []
        words += [f"if {condition}"] if condition is not None else []
        return self._stopper(" ".join(words))

    def watch(self, place: str, access: str = "write") -> Breakpoint:
        """Stops after a register or memory was written ("write"), read ("read"), or either ("any")."""
        return self._stopper({"write": "watch", "read": "rwatch", "any": "awatch"}[access] + " " + place)

    def _stopper(self, line: str) -> Breakpoint:
        record = self._one(line, "breakpoint")
        return Breakpoint(record["number"], record["what"], self)

    def breakpoint_record(self, number: int) -> Record:
        for record in self._only("info breakpoints", "breakpoint"):
            if record["number"] == number:
                return record
        raise OutOfRange(f"no breakpoint or watchpoint {number}")

    # -- running, both ways --

    def _run(self, line: str, timeout: Optional[float] = None) -> Stop:
        records = self.command(line, timeout)
        stops = [record for record in records if record["type"] == "stop"]
        if not stops:
            raise Error("gpudbg printed no record of type stop", line)
        return Stop.of(stops[-1], [record for record in records if record["type"] != "stop"])

    def run(self, timeout: Optional[float] = None) -> Stop:
        """Continues until something stops it.  After `timeout` seconds the reason is `interrupt`."""
        return self._run("continue", timeout)

    def run_back(self, timeout: Optional[float] = None) -> Stop:
        """Runs backward until something stops it."""
        return self._run("reverse-continue", timeout)

    def step(self, count: int = 1) -> Stop:
        """Executes instructions of the selected wave."""
        return self._run(f"stepi {count}")

    def back(self, count: int = 1) -> Stop:
        """Undoes instructions of the selected wave."""
        return self._run(f"reverse-stepi {count}")

    def line(self, over: bool = True) -> Stop:
        """Runs to another source line; over calls, or into them."""
        return self._run("next" if over else "step")

    def line_back(self, over: bool = True) -> Stop:
        return self._run("reverse-next" if over else "reverse-step")

    def finish(self) -> Stop:
        return self._run("finish")

    def advance(self, place: str) -> Stop:
        return self._run(f"advance {place}")

    def goto(self, position: int) -> Stop:
        """To a position in time, recorded or not yet."""
        return self._run(f"goto {position}")

    @property
    def position(self) -> int:
        return int(self._one("info history", "history")["position"])

    @contextlib.contextmanager
    def at(self, position: int) -> Iterator[Stop]:
        """Goes to a position, and back at the end."""
        before = self.position
        try:
            yield self.goto(position)
        finally:
            self.goto(before)

    def hash(self) -> int:
        """Of the whole state of the machine: equal states have equal numbers."""
        return int(self._one("info hash", "hash")["value"], 0)

    def stats(self) -> Record:
        return self._one("info stats", "stats")

    def profile(self) -> List[Record]:
        return self._only("info profile", "profile")

    # -- waves and lanes --

    def waves(self) -> List[Wave]:
        return [Wave(r["wave"], r["state"], _triple(r["group"]), _int(r["active"]), r["executed"], _int(r["pc"]),
                     r["where"], "selected" in r) for r in self._only("info waves", "wave")]

    def lane_states(self) -> List[Lane]:
        """Of the selected wave: which lanes execute, and which work-item each is."""
        return [Lane(r["lane"], r["state"], _triple(r["local"]) if "local" in r else None,
                     _triple(r["global"]) if "global" in r else None) for r in self._only("info lanes", "lane")]

    @contextlib.contextmanager
    def select(self, wave: Optional[int] = None, lane: Optional[int] = None) -> Iterator[None]:
        """Another wave or lane, until the end of the context."""
        was_wave, was_lane = self.wave, self.lane
        try:
            if wave is not None:
                self.wave = wave
            if lane is not None:
                self.lane = lane
            yield
        finally:
            self.wave, self.lane = was_wave, was_lane

    @property
    def wave(self) -> int:
        """The selected wave's number; may be set."""
        return int(self._one("wave", "wave")["wave"])

    @wave.setter
    def wave(self, number: int) -> None:
        self.command(f"wave {number}")

    @property
    def lane(self) -> int:
        """The selected lane's number; may be set."""
        return int(self._one("lane", "lane")["lane"])

    @lane.setter
    def lane(self, number: int) -> None:
        self.command(f"lane {number}")

    # -- values --

    def value(self, expression: str) -> Any:
        """What `print` shows: a number, or an array ("$v0[:]", "(f32)$v2[0:7]").  See `help expressions`."""
        return self._value(self._one(f"print {expression}", "value"))

    @staticmethod
    def _value(r: Record) -> Any:
        kind = r["type_name"]
        if "values" in r:
            return array(_of_bits(r["values"], kind), kind)
        if r.get("value") is None:
            raise Unknown(r["text"])
        return struct.unpack("<" + _format(kind), _of_bits([r["value"]], kind))[0]

    def lanes(self, register: str, kind: str = "u32") -> Array:
        """A vector register of the selected wave, a value a lane: `lanes("v0", "f32")`; of Intel's, the dwords."""
        r = self._one(f"info registers {register}", "register")
        if "values" not in r:
            raise NotNow(f"{register} has one value for all lanes", f"info registers {register}", r)
        return array(_of_bits(r["values"], "u32"), kind)

    def register(self, name: str) -> Any:
        """A register of the selected wave: a number, an array of u32 (a value a lane), or None: nobody knows."""
        return self._register(self._one(f"info registers {name}", "register"))

    def registers(self, names: str = "") -> Dict[str, Any]:
        """By their names; "" is all of them, "v0 s exec" some.  An array is of u32."""
        return {r["name"]: self._register(r) for r in self._only(f"info registers {names}".strip(), "register")}

    @staticmethod
    def _register(r: Record) -> Any:
        if "values" not in r:
            return _int(r.get("value"))
        words = [_int(word) for word in r["values"]]
        if None in words:
            return words
        wide = any(word is not None and word >> 32 for word in words)
        return array(_of_bits(r["values"], "u64" if wide else "u32"), "u64" if wide else "u32")

    def set(self, place: str, value: Number) -> None:
        """Changes a register, memory or a variable: set("$v1[3]", 7), set("*(f32*)a", 1.5), set("$x", 1)."""
        self.command(f"set var {place} = {value!r}")

    # -- memory --

    def _where(self, place: Place) -> str:
        """The same place as a word: "0x100000000", "lds:0x40"."""
        r = self._one(f"x/1xb {_place(place)}", "memory")
        return str(r["addr"]) if r["space"] in ("global", "file") else f"{r['space']}:{r['addr']}"

    def read(self, place: Place, size: int) -> bytes:
        """Bytes of memory, of the selected wave's where that makes a difference: read("lds:0", 64)."""
        if size <= 512:
            rows = self._only(f"x/{size}xb {_place(place)}", "memory") if size > 0 else []
            return b"".join(bytes.fromhex(row["bytes"]) for row in rows)
        path, where = self._path(), self._where(place)
        try:
            self.command(f"dump memory {_quoted(path)} {where} {where}+{size}")
            return pathlib.Path(path).read_bytes()
        finally:
            pathlib.Path(path).unlink(missing_ok=True)

    def read_array(self, place: Place, count: int, kind: str = "u32") -> Array:
        return array(self.read(place, count * struct.calcsize("<" + _format(kind))), kind)

    def write(self, place: Place, data: Any) -> None:
        """Bytes, or an array, to memory."""
        data = data.tobytes() if hasattr(data, "tobytes") else bytes(data)
        where, at = self._where(place), 0
        while at < len(data):
            size = next(n for n in (8, 4, 2, 1) if n <= len(data) - at)
            value = int.from_bytes(data[at : at + size], "little")
            self.command(f"set var *(u{8 * size}*)({where}+{at}) = {value:#x}")
            at += size

    def buffers(self) -> List[Buffer]:
        return [Buffer(r.get("name", ""), r["space"], int(r["addr"], 0), r["size"], r.get("arg"), r.get("flags", ""))
                for r in self._only("info buffers", "buffer")]

    def buffer(self, name: Union[int, str], kind: str = "u32") -> Array:
        """A whole buffer of the launch, by the number or name of its argument."""
        path = self._path()
        try:
            self.command(f"save arg {name} {_quoted(path)}")
            return array(pathlib.Path(path).read_bytes(), kind)
        finally:
            pathlib.Path(path).unlink(missing_ok=True)

    # -- recorded time --

    def last_write(self, place: str) -> Optional[Write]:
        """The instruction that wrote a register or memory last; None: none of this launch did."""
        return self._write(f"last-write {place}")

    def next_write(self, place: str) -> Optional[Write]:
        return self._write(f"next-write {place}")

    def _write(self, line: str) -> Optional[Write]:
        r = self._one(line, "write")
        return Write.of(r) if r["found"] else None

    def writes(self, place: str) -> List[Write]:
        """All of them, the first one first."""
        return [Write.of(r) for r in self._only(f"info writes {place}", "written")]

    def find_time(self, condition: str) -> Optional[Tuple[int, int]]:
        """The first and the last recorded position where an expression held, for the selected wave and lane."""
        r = self._one(f"find-time {condition}", "time")
        return (r["first"], r["last"]) if r["times"] else None

    def origin(self, place: str, depth: int = 1) -> Origin:
        """Where a value comes from: the instruction that computed it, and below it its inputs."""
        above: List[Origin] = []
        for r in self._only(f"origin/tree {depth} {place}", "origin"):
            node = Origin(r["expression"], r["role"], r.get("value", ""), r.get("position"), r.get("wave"),
                          _int(r.get("pc")), r.get("text", ""), r.get("where", ""), r.get("leaf", ""),
                          r.get("cut", False), [])
            del above[r["depth"] :]
            if above:
                above[-1].inputs.append(node)
            above.append(node)
        if not above:
            raise Error("gpudbg printed no record of type origin", place)
        return above[0]

    # -- checks --

    def check(self, kind: str = "all", on: bool = True) -> None:
        """Switches a checker for runs on or off."""
        self.command(f"check {kind} {'on' if on else 'off'}")

    @contextlib.contextmanager
    def checking(self, kind: str = "all") -> Iterator[None]:
        """A checker is on until the end of the context."""
        self.check(kind)
        try:
            yield
        finally:
            self.check(kind, False)

    def check_code(self) -> List[Check]:
        """What is wrong with the loaded code, without running it."""
        return [self._check(r) for r in self._only("check", "check")]

    def checks(self) -> List[Check]:
        """What the checkers have reported of this launch."""
        return [self._check(r) for r in self._only("info checks", "check")]

    @staticmethod
    def _check(r: Record) -> Check:
        return Check(r["kind"], r["message"], _int(r.get("pc")), r.get("wave"), _int(r.get("lanes")),
                     r.get("position"), r.get("count", 1), r)

    # -- dumps --

    def explain(self) -> List[Finding]:
        """What the open dumps mean; the verdicts come first."""
        records = self.command("explain")
        ordered = [r for r in records if r["type"] == "verdict"] + [r for r in records if r["type"] == "finding"]
        return [Finding(r["cause"], r["text"], r.get("evidence", []), r) for r in ordered]

    # -- code --

    def disassemble(self, what: str = "") -> List[Insn]:
        """Instructions of all the code, of a symbol, or of a range ("matmul", "0x40,0x80")."""
        return [Insn(int(r["addr"], 0), r["size"], bytes.fromhex(r["bytes"]), r["mnemonic"], r["text"], r)
                for r in self._only(f"disassemble {what}".strip(), "insn")]

    def decode(self, code: Union[bytes, str], isa: Optional[str] = None) -> List[Insn]:
        """Instructions given as bytes, or as numbers in text."""
        if isa is not None:
            self.command(f"isa {isa}")
        digits = code if isinstance(code, str) else " ".join(f"{byte:02x}" for byte in code)
        return [Insn(int(r.get("addr", "0"), 0), r["size"], bytes.fromhex(r["bytes"]), r["mnemonic"], r["text"], r)
                for r in self._only(f"decode {digits}", "insn")]

    # -- settings --

    @contextlib.contextmanager
    def setting(self, name: str, value: Union[str, int, bool]) -> Iterator[None]:
        """Another value of a setting (`show` lists them), until the end of the context."""
        before = self._one(f"show {name}", "setting")["value"]
        self.command(f"set {name} {('off', 'on')[value] if isinstance(value, bool) else value}")
        try:
            yield
        finally:
            self.command(f"set {name} {before}")
