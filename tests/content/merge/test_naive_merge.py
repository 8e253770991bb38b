"""Beside a naive merge of text: what that merges cleanly comes out the same."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from content.documents.plain_text import plain_text
from content.merge.documents import merge_documents
from tests.content.merge.notation import KEYS

WORDS = [f"{one}{other}" for one in "bdfgklmnprst" for other in ("a", "e", "i", "o", "u", "all")]


def longest_common(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """Positions of a longest common subsequence, by the textbook's table."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            if left[i] == right[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def naive_merge(base: list[str], ours: list[str], theirs: list[str]) -> list[str] | None:
    """diff3 on lines; None where regions of both sides meet."""
    to_ours, to_theirs = dict(longest_common(base, ours)), dict(longest_common(base, theirs))
    merged: list[str] = []
    at = left = right = 0
    stable = [i for i in range(len(base)) if i in to_ours and i in to_theirs]
    for i in [*stable, len(base)]:
        end_left, end_right = to_ours.get(i, len(ours)), to_theirs.get(i, len(theirs))
        if i == len(base):
            end_left, end_right = len(ours), len(theirs)
        old, mine, yours = base[at:i], ours[left:end_left], theirs[right:end_right]
        if mine in (old, yours):
            merged += yours
        elif yours == old:
            merged += mine
        else:
            return None
        merged += base[i : i + 1]
        at, left, right = i + 1, end_left + 1, end_right + 1
    return merged


def paragraph(random: Random, number: int) -> str:
    chosen = [random.choice(WORDS) for _ in range(random.randint(2, 9))]
    return " ".join([f"n{number}", *chosen])


def edited(random: Random, lines: list[str], edits: int, first: int) -> list[str]:
    """Some paragraphs rewritten, changed by a word, removed or added."""
    result = list(lines)
    for number in range(first, first + edits):
        at = random.randint(0, len(result))
        choice = random.random()
        if choice < 0.3 or at == len(result):
            result.insert(at, paragraph(random, number))
        elif choice < 0.5:
            del result[at]
        elif choice < 0.7:
            result[at] = paragraph(random, number)
        else:
            words = result[at].split()
            words.insert(random.randint(1, len(words)), random.choice(WORDS))
            result[at] = " ".join(words)
    return result


@settings(max_examples=600)
@given(st.integers(0, 2**40), st.sampled_from(sorted(KEYS)))
def test_what_a_naive_merge_merges_comes_out_the_same(seed: int, keys: str) -> None:
    random = Random(seed)
    base = [paragraph(random, number) for number in range(random.randint(3, 14))]
    ours = edited(random, base, random.randint(0, 4), 100)
    theirs = edited(random, base, random.randint(0, 4), 200)
    expected = naive_merge(base, ours, theirs)
    merged = merge_documents(*KEYS[keys](*("\n\n".join(text) for text in (base, ours, theirs))))
    if expected is not None:
        assert plain_text(merged.document).splitlines() == expected
        assert merged.conflicts == ()


def test_the_naive_merge_is_clean_often_enough_to_compare_with() -> None:
    clean = 0
    for seed in range(200):
        random = Random(seed)
        base = [paragraph(random, number) for number in range(random.randint(3, 14))]
        ours, theirs = (edited(random, base, random.randint(1, 4), n) for n in (100, 200))
        clean += naive_merge(base, ours, theirs) is not None
    assert 60 < clean < 200
