"""Prints the map that aider makes of a tree for a task on stdin: aider-map.py TREE TOKENS, with aider-chat installed."""

import os
import re
import sys

from aider.io import InputOutput
from aider.repomap import RepoMap


class Counter:
    """Counts tokens as Ambit does: four bytes are a token."""

    def token_count(self, text):
        return len(text.encode()) // 4


root, tokens = os.path.realpath(sys.argv[1]), int(sys.argv[2])
task = sys.stdin.read()
files = [
    os.path.join(folder, name)
    for folder, folders, names in os.walk(root)
    if ".git" not in os.path.relpath(folder, root).split(os.sep)
    for name in sorted(names)
]
# As aider reads a message: its words, and the files with the name of a word.
words = set(re.split(r"\W+", task)) - {""}
stems = {os.path.splitext(os.path.basename(path))[0].lower(): path for path in files}
named = {os.path.relpath(stems[word.lower()], root) for word in words if len(word) >= 5 and word.lower() in stems}
repo_map = RepoMap(
    map_tokens=tokens,
    root=root,
    main_model=Counter(),
    io=InputOutput(pretty=False, yes=True, fancy_input=False),
    map_mul_no_files=1,
)
print(repo_map.get_repo_map([], files, mentioned_fnames=named, mentioned_idents=words) or "")
