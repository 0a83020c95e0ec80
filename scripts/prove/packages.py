"""Checks packages by the rules of quilt3, without code of Ambit: hashes, order, metadata.

Arguments: the check, and its values as JSON. Prints the top hash, or a JSON list of problems.
"""
import base64
import hashlib
import json
import os
import sys

CHUNK, MOST_CHUNKS = 8 << 20, 10_000


def manifest(path):
    """The header, the lines of entries by their keys, and all lines in their order."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    rows = [line for line in lines[1:] if json.loads(line).get("physical_keys")]
    return json.loads(lines[0]), {json.loads(line)["logical_key"]: line for line in rows}, lines


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def in_order(keys):
    return sorted(keys, key=lambda key: key.split("/"))


def top_hash(path):
    header, rows, _ = manifest(path)
    digest = hashlib.sha256(canonical({k: v for k, v in header.items() if k != "top_hash"}).encode())
    for key in in_order(rows):
        row = json.loads(rows[key])
        digest.update(canonical({name: row[name] for name in ("hash", "logical_key", "meta", "size")}).encode())
    return digest.hexdigest()


def bytes_hash(path, kind):
    with open(path, "rb") as file:
        data = file.read()
    if kind == "SHA256":
        return hashlib.sha256(data).hexdigest()
    chunk = CHUNK
    while -(-len(data) // chunk) > MOST_CHUNKS:
        chunk *= 2
    parts = [hashlib.sha256(data[at : at + chunk]).digest() for at in range(0, len(data), chunk)]
    return base64.b64encode(hashlib.sha256(b"".join(parts)).digest()).decode()


def matches_row(path, row):
    expected = row["hash"]
    return os.path.getsize(path) == row["size"] and bytes_hash(path, expected["type"]) == expected["value"]


def revised(before, after, directory, edited, message):
    """Checks a push of edited files. Everything else must be the same, byte for byte."""
    (old_header, old, old_lines), (header, new, lines) = manifest(before), manifest(after)
    wrong = []
    if os.path.basename(after) != top_hash(after):
        wrong.append(f"the top hash is {top_hash(after)}")
    if canonical({**old_header, "message": message}) != canonical(header):
        wrong.append(f"the header is {canonical(header)}")
    if [key for key in new] != in_order(new):
        wrong.append("the order is wrong")
    if set(new) != set(old) | set(edited):
        wrong.append(f"the keys differ: {sorted(set(new) ^ (set(old) | set(edited)))}")
    if [line for line in old_lines[1:] if line not in old.values()] != [
        line for line in lines[1:] if line not in new.values()
    ]:
        wrong.append("the lines of directories differ")
    for key in set(new) & set(old) - set(edited):
        if new[key] != old[key]:
            wrong.append(f"{key} was {old[key]} and is {new[key]}")
    for key in set(edited) & set(new):
        row = json.loads(new[key])
        meta = json.loads(old[key])["meta"] if key in old else {}
        if not matches_row(os.path.join(directory, key), row):
            wrong.append(f"{key} does not have the hash of its file: {new[key]}")
        if canonical(row["meta"]) != canonical(meta):
            wrong.append(f"{key} has other metadata: {new[key]}")
    return wrong


def fetched(directory, manifests, absent=None):
    """Checks that each file is as in one of the manifests. With `absent`, all files except these must exist."""
    rows = [{key: json.loads(line) for key, line in manifest(path)[1].items()} for path in manifests]
    wrong, there = [], set()
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            key = os.path.relpath(path, directory)
            if key.startswith(".quilt/") or name.startswith(".ambit-put-"):
                continue
            there.add(key)
            if not any(key in one and matches_row(path, one[key]) for one in rows):
                wrong.append(f"{key} is in no revision")
    if absent is not None and there != set(rows[-1]) - set(absent):
        wrong.append(f"the files differ: {sorted(there ^ (set(rows[-1]) - set(absent)))}")
    return wrong


what, given = sys.argv[1], json.loads(sys.argv[2])
checks = {"hash": top_hash, "revised": revised, "fetched": fetched}
print(json.dumps(checks[what](**given)))
