"""Starts the program, sends it a signal at the right moment, and prints how it ended.

    interrupt.py --program P --after SECONDS [options] -- ARGUMENTS

Prints the exit code; "early CODE" where the program was done before the signal; "slow CODE SECONDS" or
"hangs" where it did not end in time. Its standard error is passed on.

    --signal INT|TERM   which one
    --within SECONDS    how long it may take to end
    --stdin stalled     standard input is a pipe that has something, and then nothing more
    --stdout stalled    standard output is a pipe that nobody reads
    --stall PIPE        a named pipe is opened for reading, but not read
    --watch FOLDER      with --once-writing the time runs from when something appears in FOLDER
    --terminal          runs on a terminal of its own; Ctrl-C is typed
"""
import argparse
import os
import pty
import select
import signal
import subprocess
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--program", required=True)
arguments.add_argument("--after", type=float, required=True)
arguments.add_argument("--within", type=float, default=1)
arguments.add_argument("--signal", default="INT")
arguments.add_argument("--stdin")
arguments.add_argument("--stdout")
arguments.add_argument("--stall")
arguments.add_argument("--watch")
arguments.add_argument("--once-writing", action="store_true")
arguments.add_argument("--terminal", action="store_true")
arguments.add_argument("command", nargs="+")
given = arguments.parse_args()
command = [given.program] + given.command
GIVE_UP = 3  # seconds more, to tell slow from hanging


def tell(code, took):
    if took > given.within:
        print(f"slow {code} {took:.2f} s")
    else:
        print(code)


def on_pipes():
    """Prints how it ended; or returns the exit code, where that was before the signal."""
    stdin, stdout = subprocess.DEVNULL, subprocess.DEVNULL
    if given.stdin:
        stdin, feed = os.pipe()
        os.write(feed, b"a,b,c\n1,2,3\n")
    if given.stdout:
        _unread, stdout = os.pipe()
    if given.stall:
        os.open(given.stall, os.O_RDONLY | os.O_NONBLOCK)
    before = set(os.listdir(given.watch)) if given.watch else set()
    process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=sys.stderr)
    while given.once_writing and process.poll() is None:
        if set(os.listdir(given.watch)) - before:
            break
        time.sleep(0.002)
    try:
        process.wait(given.after)
        return process.returncode
    except subprocess.TimeoutExpired:
        pass
    start = time.monotonic()
    process.send_signal(getattr(signal, "SIG" + given.signal))
    try:
        process.wait(given.within + GIVE_UP)
        tell(process.returncode, time.monotonic() - start)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        print("hangs")
    return None


def on_terminal():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    start, typed, shown = time.monotonic(), None, b""
    while True:
        now = time.monotonic()
        if typed is None and now - start > given.after:
            os.write(terminal, b"\x03")
            typed = time.monotonic()
        if typed is not None and now - typed > given.within + GIVE_UP:
            os.kill(pid, signal.SIGKILL)
        try:
            if select.select([terminal], [], [], 0.01)[0]:
                shown += os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if typed is None:
        print("early", code)
    elif code == -signal.SIGKILL:
        print("hangs")
    else:
        tell(code, time.monotonic() - typed)
    sys.stderr.write(shown.decode("utf-8", "replace"))


def try_until_in_time():
    """On a fast machine the program may be done before the signal: once more, then, and sooner."""
    before = set(os.listdir(given.watch)) if given.watch else set()
    for _ in range(4):
        code = on_pipes()
        if code is None:
            return
        given.after /= 2
        for name in set(os.listdir(given.watch)) - before if given.watch else ():
            os.remove(os.path.join(given.watch, name))
    print("early", code)


signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup, the program must not
on_terminal() if given.terminal else try_until_in_time()
