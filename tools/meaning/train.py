"""Trains the table of word vectors and writes it. Arguments: passages of texts.py, the folder of the teacher, the file to write."""

import multiprocessing
import os
import random
import re
import struct
import sys
import time
import unicodedata
from collections import Counter

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

SEED, DIMENSIONS, ROWS, EPOCHS, BATCH, HELD_OUT = 7, 128, 40_000, 8, 256, 1_000
PASSAGES = 250_000
# Words of a passage that the teacher reads.
READ = 48
torch.set_num_threads(1)
torch.manual_seed(SEED)

RUN = re.compile(r'[^\W\d_]+|[0-9]+')
WORD = re.compile(r'[a-z]+|[0-9]+')
CAMEL = re.compile(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])')


def words_of(text):
    """As `src/retrieval/meaning/words.ts` has them: camelCase and digits split, lower case without accents, Latin letters."""
    plain = ''.join(c for c in unicodedata.normalize('NFD', CAMEL.sub(' ', text)) if not unicodedata.combining(c))
    return [run for run in RUN.findall(plain.lower()) if WORD.fullmatch(run)]


def split(word, known):
    """The word, or else its longest pieces from the left; a piece inside of a word begins with ##."""
    if word in known:
        return [word]
    out, at = [], 0
    while at < len(word):
        prefix = '##' if at else ''
        end = next((end for end in range(len(word), at, -1) if prefix + word[at:end] in known), None)
        if end is None:
            return []
        out.append(prefix + word[at:end])
        at = end
    return out


class Teacher:
    def __init__(self, folder):
        self.tokens = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder, dtype=torch.bfloat16).eval()

    @torch.inference_mode()
    def encode_some(self, texts):
        given = self.tokens(texts, return_tensors='pt', padding=True, truncation=True, max_length=96)
        states = self.model(**given)[0].float()
        mask = given['attention_mask'].unsqueeze(-1)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=1).numpy()

    def encode(self, texts, batch=64):
        """In two processes of one thread each: threads wait for each other on a busy machine."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        batches = [order[start : start + batch] for start in range(0, len(order), batch)]
        out, began = torch.zeros(len(texts), 384), time.time()
        with multiprocessing.get_context('fork').Pool(2) as pool:
            made = pool.imap(self.encode_some, ([texts[at] for at in some] for some in batches))
            for number, (some, vectors) in enumerate(zip(batches, made)):
                out[some] = torch.from_numpy(vectors)
                if number % 100 == 0:
                    print(f'{number} of {len(batches)} batches after {time.time() - began:.0f} s', flush=True)
        return out


def choose_rows(texts, teacher):
    counts = Counter(word for text in texts for word in words_of(text))
    pieces = sorted(one for one in teacher.tokens.get_vocab() if re.fullmatch(r'(##)?([a-z]+|[0-9]+)', one))
    inner = [one for one in pieces if one.startswith('##')]
    # What a word can begin with must stay, or its pieces are not found; of the rest, what the texts hold most often.
    short = {one for one in pieces if len(one) <= 4 and not one.startswith('##')}
    frequent = [one for one, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if len(one) <= 24]
    whole = list(dict.fromkeys([*sorted(short), *frequent, *(one for one in pieces if not one.startswith('##'))]))
    return whole[: ROWS - len(inner)] + inner


def fit(rows, ids, weights, targets, held):
    """Rows that, summed by their weights, point where the teacher points."""
    began = rows.clone()
    rows = torch.nn.Parameter(rows)
    optimiser = torch.optim.Adam([rows], lr=2e-3)
    order = [at for at in range(len(ids)) if at not in held]
    chance = random.Random(SEED)

    def vectors(some):
        flat = torch.tensor([one for at in some for one in ids[at]])
        starts = torch.tensor([0] + [len(ids[at]) for at in some[:-1]]).cumsum(0)
        summed = torch.nn.functional.embedding_bag(flat, rows, starts, mode='sum', per_sample_weights=weights[flat])
        return torch.nn.functional.normalize(summed, dim=1), flat

    def held_out():
        with torch.no_grad():
            made, _ = vectors(sorted(held))
            return (made * targets[sorted(held)]).sum(1).mean().item()

    best, kept_rows = held_out(), began
    print('held out', best, flush=True)
    for epoch in range(EPOCHS):
        chance.shuffle(order)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            made, flat = vectors(some)
            wanted = targets[some]
            used = flat.unique()
            loss = 1 - (made * wanted).sum(1).mean()
            loss = loss + 8 * ((made @ made.T - wanted @ wanted.T) ** 2).mean()
            loss = loss + 0.02 * ((rows[used] - began[used]) ** 2).sum(1).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        found = held_out()
        print('epoch', epoch, 'held out', found, flush=True)
        if found <= best:
            break
        best, kept_rows = found, rows.detach().clone()
    return kept_rows


def hash_of(token):
    """FNV-1a of the letters; a piece inside of a word begins with another state."""
    inner = token.startswith('##')
    state = 0x9DC5811C if inner else 0x811C9DC5
    for byte in token[2 * inner :].encode():
        state = ((state ^ byte) * 0x01000193) & 0xFFFFFFFF
    return state


def write(path, tokens, rows, weights):
    order = sorted(range(len(tokens)), key=lambda at: hash_of(tokens[at]))
    hashes = np.array([hash_of(tokens[at]) for at in order], '<u4')
    assert len(set(hashes.tolist())) == len(tokens)
    table = rows[order].numpy()
    scales = np.abs(table).max(1) / 127 + 1e-12
    with open(path, 'wb') as file:
        file.write(struct.pack('<4sIII', b'WVT1', len(tokens), DIMENSIONS, 0))
        file.write(hashes.tobytes())
        file.write(scales.astype('<f4').tobytes())
        file.write(np.round(weights[order].numpy() * 255).clip(1, 255).astype('u1').tobytes())
        file.write(np.round(table / scales[:, None]).astype('i1').tobytes())


def kept(path, make):
    """What an earlier run made of the same texts, or makes and keeps it."""
    if not os.path.exists(path):
        torch.save(make(), path)
    return torch.load(path)


def main():
    passages, folder, path = sys.argv[1:4]
    most = int(sys.argv[4]) if len(sys.argv) > 4 else PASSAGES
    texts = [line.rstrip('\n').split('\t', 1)[1] for line in open(passages, encoding='utf-8')]
    teacher = Teacher(folder)
    tokens = choose_rows(texts, teacher)
    known = {token: at for at, token in enumerate(tokens)}
    ids = [[known[part] for word in words_of(text) for part in split(word, known)] for text in texts]
    usable = [at for at, one in enumerate(ids) if len(one) >= 3]
    usable = random.Random(SEED).sample(usable, min(most, len(usable)))
    texts, ids = [texts[at] for at in usable], [ids[at] for at in usable]
    counts = Counter(one for some in ids for one in some)
    total = sum(counts.values())
    weights = torch.tensor([1e-3 / (1e-3 + (counts[at] + 0.5) / total) for at in range(len(tokens))], dtype=torch.float32)
    bare = kept(passages + '.rows', lambda: teacher.encode([token.removeprefix('##') for token in tokens], 256))
    targets = kept(path + '.targets', lambda: teacher.encode([' '.join(text.split()[:READ]) for text in texts]))
    centre = targets.mean(0)
    targets = targets - centre
    _, _, axes = torch.pca_lowrank(targets, q=DIMENSIONS, center=False, niter=4)
    targets = torch.nn.functional.normalize(targets @ axes, dim=1)
    rows = (bare - centre) @ axes
    held = set(random.Random(SEED).sample(range(len(ids)), HELD_OUT))
    rows = fit(rows, ids, weights, targets, held)
    write(path, tokens, rows, weights)


if __name__ == '__main__':
    main()
