"""Starts the program, sends it a signal at the right moment, and prints how it ended.

    interrupt.py --program P --after SECONDS [options] -- ARGUMENTS

Prints the exit code; "early CODE" where the program was done before the signal; "hangs" where it did not
end. Its standard error is passed on. How long anything takes is no verdict: the machine may be busy. The
time begins when the program listens to signals; it only chooses a moment, and none is a wrong one.

    --signal INT|TERM   which one
    --busy SECONDS      before that, the program must have had this much of a processor
    --stdin stalled     standard input is a pipe that has something, and then nothing more
    --stdout stalled    standard output is a pipe that nobody reads
    --stall PIPE        a named pipe is opened for reading, but not read
    --watch FOLDER      with --once-writing the time runs from when something appears in FOLDER
    --terminal          runs on a terminal of its own; Ctrl-C is typed
    --until REGEX       it is typed when the terminal has shown this, and not before
"""
import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--program", required=True)
arguments.add_argument("--after", type=float, required=True)
arguments.add_argument("--signal", default="INT")
arguments.add_argument("--busy", type=float, default=0)
arguments.add_argument("--stdin")
arguments.add_argument("--stdout")
arguments.add_argument("--stall")
arguments.add_argument("--watch")
arguments.add_argument("--once-writing", action="store_true")
arguments.add_argument("--terminal", action="store_true")
arguments.add_argument("--until", type=str.encode)
arguments.add_argument("command", nargs="+")
given = arguments.parse_args()
command = [given.program] + given.command
HANGS = 300  # seconds


def listens(pid):
    """Has the process a handler for SIGINT? True where the system does not tell."""
    try:
        with open(f"/proc/{pid}/status") as file:
            caught = re.search(r"^SigCgt:\s*(\w+)", file.read(), re.MULTILINE)
    except OSError:
        return True
    return bool(int(caught[1], 16) >> (signal.SIGINT - 1) & 1)


def has_worked(pid):
    """Has the process had as much of a processor as was asked for?"""
    if given.busy == 0:
        return True
    with open(f"/proc/{pid}/stat") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") >= given.busy


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
    while process.poll() is None and not (listens(process.pid) and has_worked(process.pid)):
        time.sleep(0.002)
    while given.once_writing and process.poll() is None:
        if set(os.listdir(given.watch)) - before:
            break
        time.sleep(0.002)
    try:
        process.wait(given.after)
        return process.returncode
    except subprocess.TimeoutExpired:
        pass
    process.send_signal(getattr(signal, "SIG" + given.signal))
    try:
        print(process.wait(HANGS))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        print("hangs")
    return None


def on_terminal():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    start, typed, shown = None, None, b""
    while True:
        now = time.monotonic()
        if start is None and listens(pid):
            start = now
        if typed is None and start is not None and now - start > given.after and (
                given.until is None or re.search(given.until, shown)):
            os.write(terminal, b"\x03")
            typed = now
        if typed is not None and now - typed > HANGS:
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
        print(code)
    sys.stderr.write(shown.decode("utf-8", "replace"))


def try_until_in_time():
    """On a fast machine the program may be done before the signal: once more, then, and sooner."""
    before = set(os.listdir(given.watch)) if given.watch else set()
    for _ in range(20):
        code = on_pipes()
        if code is None:
            return
        given.after /= 2
        for name in set(os.listdir(given.watch)) - before if given.watch else ():
            os.remove(os.path.join(given.watch, name))
    print("early", code)


signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup, the program must not
on_terminal() if given.terminal else try_until_in_time()
