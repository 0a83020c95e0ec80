"""Exchanges two names repeatedly, each time in one step, until the base directory has a file named "stop".

Arguments: the two names; the base directory. Prints the number of exchanges. Node has no function for this.
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
