"""Exchanges two names again and again, each time in one step, until a file named "stop" lies in the base.

Arguments: the two names; the base. Prints how often. Node has no call for it.
"""
import ctypes
import os
import sys

one, other, base = (os.fsencode(argument) for argument in sys.argv[1:4])
libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, RENAME_EXCHANGE = -100, 2
stop = os.path.join(base, b"stop")
swaps = 0
while not os.path.exists(stop):
    for _ in range(200):
        if libc.renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
    swaps += 200
os.remove(stop)
print(swaps)
