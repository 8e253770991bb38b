"""Compresses texts as LZ-string does, for requests of tests."""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def compress(text: str) -> str:
    """A text in the form of Base64, without padding."""
    numbers: dict[str, int] = {}
    new: set[str] = set()
    bits: list[int] = []
    room, width, size, word = 2, 2, 3, ""

    def write(number: int, count: int) -> None:
        bits.extend(number >> place & 1 for place in range(count))

    def widen() -> None:
        nonlocal room, width
        room -= 1
        if room == 0:
            room, width = 1 << width, width + 1

    def emit(word: str) -> None:
        if word in new:
            wide = ord(word) > 255
            write(int(wide), width)
            write(ord(word), 16 if wide else 8)
            widen()
            new.discard(word)
        else:
            write(numbers[word], width)
        widen()

    for character in text:
        if character not in numbers:
            numbers[character], size = size, size + 1
            new.add(character)
        if word + character in numbers:
            word += character
            continue
        if word:
            emit(word)
            numbers[word + character], size = size, size + 1
        word = character
    if word:
        emit(word)
    write(2, width)
    bits += [0] * (-len(bits) % 6)
    groups = (bits[start : start + 6] for start in range(0, len(bits), 6))
    return "".join(ALPHABET[int("".join(map(str, group)), 2)] for group in groups)
