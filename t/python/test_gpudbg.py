# SPDX-License-Identifier: GPL-3.0-or-later
"""share/python/gpudbg.py against calculations in Python: the results of kernels, masks, memory; and against what
`help errors` lists.  t/core/python.t runs this with and without numpy."""
import array
import os
import pathlib
import signal
import struct
import sys
import tempfile
import threading
import unittest
import unittest.mock

sys.path.insert(0, os.environ["GPUDBG_PYTHON"])
if os.environ.get("WITHOUT_NUMPY"):
    sys.modules["numpy"] = None  # import fails
import gpudbg

SHARE = pathlib.Path(os.environ["GPUDBG_DATA"])


def steps(n):
    count = 0
    while n != 1:
        n, count = 3 * n + 1 if n & 1 else n // 2, count + 1
    return count


class Bare:
    """Code without a file."""

    def __init__(self, *words):
        self.words = words

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="a b ")  # a blank, for all that quotes
        self.path = pathlib.Path(self.folder.name) / "code.bin"
        self.path.write_bytes(struct.pack(f"<{len(self.words)}I", *self.words))
        self.g = gpudbg.open(self.path, isa="gfx7", raw=True)
        return self.g

    def __exit__(self, *_):
        self.g.close()
        self.folder.cleanup()


ENDLESS = (0x8000C100, 0xBF82FFFE)  # s_add_u32 s0, s0, -1; s_branch to it


class Kinds(unittest.TestCase):
    def test_every_kind_has_a_class(self):
        with gpudbg.open() as g:
            listed = {r["name"]: r["family"] for r in g.command("help errors")}
        self.assertEqual(set(gpudbg.KINDS), set(listed))
        family = {"Commands": gpudbg.CommandError, "Files": gpudbg.FileError,
                  "Text and streams of an assembly language": gpudbg.ProgramError}
        for kind, of in listed.items():
            self.assertTrue(issubclass(gpudbg.KINDS[kind], family[of]), kind)
            self.assertEqual(gpudbg.KINDS[kind].kind, kind)

    def test_errors_are_raised(self):
        with gpudbg.open() as g:
            for line, kind in (("print nowhere", gpudbg.NoSuchName), ("frobnicate", gpudbg.UnknownCommand),
                               ("stepi", gpudbg.NoLaunch), ("disassemble", gpudbg.NoFile), ("x/", gpudbg.OutOfRange)):
                with self.assertRaises(kind) as caught:
                    g.command(line)
                self.assertEqual(caught.exception.kind, kind.kind)
                self.assertIn(line, str(caught.exception))
            self.assertEqual(g.command("print nowhere", check=False)[0]["kind"], "no-such-name")
            with self.assertRaises(ValueError):
                g.command("print 1\nprint 2")
            self.assertEqual(g.value("2 + 3"), 5)
        with self.assertRaises(gpudbg.Ended):
            g.command("print 1")

    def test_files_that_cannot_be_opened(self):
        with self.assertRaisesRegex(gpudbg.Missing, "^/nonexistent: "):
            gpudbg.open("/nonexistent")
        with self.assertRaisesRegex(gpudbg.NotRecognised, "first_wrong|test_gpudbg"):
            gpudbg.open(__file__)
        with self.assertRaisesRegex(gpudbg.NoSuchName, 'no instruction set "z80"'):
            gpudbg.open(isa="z80")
        with self.assertRaises(gpudbg.Ended):
            gpudbg.open(program="/nonexistent/gpudbg")


class Running(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.g = gpudbg.demo("collatz")
        cls.end = cls.g.run()

    @classmethod
    def tearDownClass(cls):
        cls.g.close()

    def setUp(self):
        self.g.goto(self.end.position)

    def test_demo(self):
        self.assertEqual(self.g.opened[0]["type"], "launch")
        self.assertTrue(self.end.done)
        self.assertEqual(self.end.position, self.g.position)
        self.assertEqual(self.g.stats()["instructions"], self.end.position)

    def test_result(self):
        wanted = [steps(n + 1) for n in range(1000)] + [0] * 24
        self.assertEqual(list(self.g.buffer("steps")), wanted)
        self.assertEqual(list(self.g.buffer(0)), wanted)
        self.assertEqual(list(self.g.read_array("steps", 1024)), wanted)
        self.assertEqual(list(self.g.read_array("steps+40", 3)), wanted[10:13])
        self.assertEqual(self.g.value("steps[26]"), steps(27))
        steps_buffer = next(b for b in self.g.buffers() if b.name == "steps")
        self.assertEqual((steps_buffer.size, steps_buffer.argument), (4096, 0))
        self.assertEqual(self.g.read(steps_buffer.addr + 8, 4), struct.pack("<I", 7))

    def test_time_runs_both_ways(self):
        hash = self.g.hash()
        self.g.goto(1000)
        there = self.g.hash()
        self.g.step(3)
        self.assertNotEqual(self.g.hash(), there)
        self.assertEqual(self.g.back(3).position, 1000)
        self.assertEqual(self.g.hash(), there)
        self.assertEqual(self.g.run_back().reason, "history-start")
        with self.g.at(7) as stop:
            self.assertEqual((stop.position, self.g.position), (7, 7))
        self.assertEqual(self.g.position, 0)
        self.assertTrue(self.g.run().done)
        self.assertEqual(self.g.hash(), hash)

    def test_lanes(self):
        self.g.goto(12)  # v0 is the global id, the mask all ones
        self.assertEqual(list(self.g.lanes("v0")), list(range(64)))
        self.assertEqual(list(self.g.value("$v0[0:3]")), [0, 1, 2, 3])
        self.assertEqual(list(self.g.register("v0")), list(range(64)))
        self.assertEqual(list(self.g.lanes("v0", "f32"))[:2], [0.0, 2.0**-149])
        self.assertEqual(self.g.registers("exec v0")["exec"], 2**64 - 1)
        with self.g.break_("collatz+0x60", condition="$exec != 0xffffffffffffffff") as stop:
            at = self.g.run()
            self.assertEqual((at.reason, at.number, stop.hits), ("breakpoint", stop.number, 1))
            exec_ = self.g.register("exec")
            states = self.g.lane_states()
            self.assertEqual([lane.state == "executes" for lane in states], [bool(exec_ >> i & 1) for i in range(64)])
            self.assertEqual(states[5].global_, (5, 0, 0))
        with self.assertRaises(gpudbg.OutOfRange):
            stop.hits
        with self.g.select(wave=3, lane=9):
            self.assertEqual((self.g.wave, self.g.lane), (3, 9))
            self.assertEqual([w.number for w in self.g.waves() if w.selected], [3])
        self.assertEqual((self.g.wave, self.g.lane), (0, 0))
        self.assertEqual(len(self.g.waves()), 16)
        self.assertEqual(self.g.waves()[15].group, (7, 0, 0))

    def test_questions(self):
        write = self.g.last_write("steps[26]")
        self.assertEqual((write.new, write.lanes, write.wave), (str(steps(27)), 1 << 26, 0))
        self.assertIn("store", write.text)
        self.assertIsNone(self.g.last_write("steps[1020]"))
        self.assertEqual([w.position for w in self.g.writes("steps[26]")], [write.position])
        with self.g.at(write.position - 1):
            self.assertEqual(self.g.next_write("steps[26]").position, write.position)
            self.assertEqual(self.g.value("steps[26]"), 0)
        origin = self.g.origin("steps[26]", depth=4)
        self.assertEqual([node.expression for node in origin][:2], ["steps[26]", "$s8"])
        self.assertEqual([int(node.value.split()[0]) for node in origin], list(range(111, 111 - len(list(origin)), -1)))
        first, last = self.g.find_time("$s8 == 5")
        self.assertLess(first, last)
        self.assertIsNone(self.g.find_time("$s8 == 5000"))

    def test_watch(self):
        self.g.goto(0)
        with self.g.watch("steps[26]"):
            stop = self.g.run()
            self.assertEqual((stop.reason, stop.record["new_value"]), ("watchpoint", "111"))

    def test_code(self):
        code = self.g.disassemble("collatz")
        self.assertEqual((code[-1].mnemonic, code[-1].bytes), ("s_endpgm", bytes.fromhex("000081bf")))
        self.assertEqual([a.addr + a.size for a in code[:-1]], [b.addr for b in code[1:]])
        self.assertEqual(self.g.decode(code[0].bytes, isa="gfx7")[0].text, code[0].text)
        self.assertEqual(self.g.kernels()[0]["name"], "collatz")


class Launching(unittest.TestCase):
    def test_matmul(self):
        a, b = (array.array("f", (SHARE / "demo" / f"matmul_{n}.bin").read_bytes()) for n in "ab")
        with gpudbg.open(SHARE / "demo" / "matmul.co") as g:
            g.launch("matmul", (64, 64), (16, 16), gpudbg.zero(16384), a, SHARE / "demo" / "matmul_b.bin", 64)
            self.assertTrue(g.run(timeout=60).done)
            c = g.buffer("c", "f32")
            for at in (0, 1, 65, 4095):
                row, column = divmod(at, 64)
                wanted = sum(a[row * 64 + k] * b[k * 64 + column] for k in range(64))
                self.assertAlmostEqual(float(c[at]), wanted, delta=1e-3 * max(1, abs(wanted)))
            again = g.relaunch()
            self.assertEqual((again["waves"], g.position), (64, 0))
            g.launch("matmul", 16, 16, bytes(64), n=-1, b=gpudbg.fill(64, 1), a=bytes(range(64)))
            self.assertEqual(g.read("a", 64), bytes(range(64)))
            self.assertEqual(g.read("b", 64), b"\1" * 64)
            g.write("b+3", b"\xff" * 15)
            self.assertEqual(g.read("b", 64), b"\1" * 3 + b"\xff" * 15 + b"\1" * 46)
            with self.assertRaises(gpudbg.BadArgument):
                g.launch("matmul", 16, 16, 1.5, gpudbg.zero(64), gpudbg.zero(64), 4)
            with self.assertRaises(gpudbg.Usage):
                g.launch("matmul", 16, 16, gpudbg.zero(64))

    def test_bare_code(self):
        with Bare(0x7E000204, 0xBF810000) as g:  # v_mov_b32 v0, s4; s_endpgm
            g.launch(None, 64, 64, named={"s[4]": "hex:2a000000"})
            g.step()
            self.assertEqual(list(g.lanes("v0")), [42] * 64)
            g.set("$v0[3]", 1.5)
            self.assertEqual(list(g.lanes("v0", "f32"))[3], 1.5)
            g.set("$x", 7)
            self.assertEqual(g.value("$x + 1"), 8)

    def test_local_memory(self):
        with gpudbg.demo("histogram") as g:
            with g.break_("histogram+0x11c"):
                g.run()
            g.write("lds:4", struct.pack("<3I", 5, 6, 7))
            self.assertEqual(list(g.read_array("lds:0", 5))[1:4], [5, 6, 7])
            self.assertEqual(list(g.read_array("lds:0", 256))[1:4], [5, 6, 7])
            with self.assertRaises(gpudbg.OutOfRange):
                g.read("lds:0", 1 << 20)

    def test_session(self):
        with tempfile.TemporaryDirectory(prefix="a b ") as folder:
            file = pathlib.Path(folder) / "run.session"
            with gpudbg.demo("collatz") as g:
                g.run()
                hash, position = g.hash(), g.goto(2000).position
                g.break_("collatz+0x60")
                here = g.hash()
                g.save_session(file)
            with gpudbg.open(file) as g:
                self.assertEqual((g.position, g.hash()), (position, here))
                self.assertEqual(g.breakpoint_record(1)["what"], "collatz+0x60")
                g.command("delete")
                self.assertTrue(g.run().done)
                self.assertEqual(g.hash(), hash)

    def test_checks(self):
        # v_cmp_lt_f32 vcc, v4, v5; s_cbranch_vccz; s_nop: what was never written decides
        with Bare(0x7C020B04, 0xBF860001, 0xBF800000, 0xBF810000) as g, g.checking("uninitialised"):
            g.launch(None, 64, 64)
            stop = g.run()
            self.assertEqual(stop.reason, "check")
            self.assertEqual([check.kind for check in g.checks()][:1], ["uninitialised"])
            with g.setting("width", 40):
                self.assertEqual(g.command("show width")[0]["value"], "40")
            self.assertEqual(g.command("show width")[0]["value"], "0")

    def test_explain(self):
        with gpudbg.open("t/data/explain/fault-read.log") as g:
            findings = g.explain()
            self.assertEqual(findings[0].cause, "page-fault")
            self.assertIn(4, [line["line"] for f in findings for line in f.evidence])

    def test_blocks(self):
        with gpudbg.open() as g:
            said = g.commands("set $i = 0\nwhile $i < 3\nprint $i\nset $i = $i + 1\nend\nprint 9")
            self.assertEqual([r["text"] for r in said], ["0", "1", "2", "9"])


class Interrupts(unittest.TestCase):
    def setUp(self):
        self.was = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it

    def tearDown(self):
        signal.signal(signal.SIGINT, self.was)

    def test_ignored(self):
        """In the background of a shell SIGINT is ignored: a time out works there, too."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with Bare(*ENDLESS) as g:
            g.launch(None, 64, 64)
            self.assertEqual(g.run(timeout=0.2).reason, "interrupt")

    def test_timeout(self):
        with Bare(*ENDLESS) as g:
            g.launch(None, 64, 64)
            stop = g.run(timeout=0.2)
            self.assertEqual(stop.reason, "interrupt")
            self.assertGreater(stop.position, 0)
            self.assertEqual(g.back().position, stop.position - 1)
            for line in ("while 1", "set $i = 1"):
                g.command(line)
            with self.assertRaises(gpudbg.Interrupted):
                g.command("end", timeout=0.2)
            self.assertEqual(g.value("2"), 2)

    def test_ctrl_c(self):
        with Bare(*ENDLESS) as g:
            g.launch(None, 64, 64)
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                g.run()
            self.assertGreater(g.position, 0)

    def test_an_answer_that_nobody_took(self):
        with gpudbg.open() as g:
            g._send("print 1")
            self.assertEqual(g.value("2"), 2)

    def test_the_program_dies(self):
        g = gpudbg.open()
        g._process.kill()
        with self.assertRaises(gpudbg.Ended):
            g.command("print 1")
        g = gpudbg.open()
        with self.assertRaises(gpudbg.Ended):
            g.command("quit")
            g.command("print 1")

    def test_nothing_is_left(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("tempfile.tempdir", folder):
            g = gpudbg.demo("collatz")
            g.launch("collatz", 128, 128, bytes(512), 100)
            g.buffer(0)
            self.assertNotEqual(os.listdir(folder), [])
            process = g._process
            g.close()
            g.close()
            self.assertIsNotNone(process.poll())
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
