"""Texts that LZ-string has compressed, as clients send them in addresses, bounded in their size."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
# The last ones differ between Base64 and the form for addresses; `+` comes as a space in some.
_VALUES = {character: value for value, character in enumerate(_ALPHABET)} | {
    "/": 63, "-": 63, "=": 64, "$": 64, " ": 62,
}  # fmt: skip
_BITS = 6


class LzStringError(ValueError):
    """A text that is not compressed so, or that is too large when it is decompressed."""


class _Bits:
    """The bits of a text, six in each character, those of a number from the lowest on."""

    def __init__(self, text: str) -> None:
        try:
            self._values = [_VALUES[character] for character in text]
        except KeyError as error:
            raise LzStringError("has characters that LZ-string does not write") from error
        self._place = 0

    def read(self, count: int) -> int:
        number = 0
        for power in range(count):
            index, bit = divmod(self._place, _BITS)
            if index >= len(self._values):
                raise LzStringError("ends too early")
            if self._values[index] >> (_BITS - 1 - bit) & 1:
                number |= 1 << power
            self._place += 1
        return number


def decompress(text: str, most: int) -> str:
    """The text; LzStringError where it would have more than `most` UTF-16 units."""
    if not text:
        raise LzStringError("is empty")
    bits = _Bits(text)
    entry = _literal(bits, bits.read(2))
    if entry is None:
        return ""
    dictionary = {3: entry}
    last, parts, length = entry, [entry], 1
    size, width, room = 4, 3, 4
    while True:
        code = bits.read(width)
        if code == 2:
            break
        if code in (0, 1):
            literal = _literal(bits, code)
            assert literal is not None
            dictionary[size] = literal
            code = size
            size += 1
            room -= 1
            if room == 0:
                room = 1 << width
                width += 1
        if code in dictionary:
            entry = dictionary[code]
        elif code == size:
            entry = last + last[0]
        else:
            raise LzStringError("names what is not there")
        length += len(entry)
        if length > most:
            raise LzStringError(f"has more than {most} characters when it is decompressed")
        parts.append(entry)
        dictionary[size] = last + entry[0]
        size += 1
        room -= 1
        last = entry
        if room == 0:
            room = 1 << width
            width += 1
    units = "".join(parts).encode("utf-16-le", "surrogatepass")
    try:
        return units.decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise LzStringError("is no text when it is decompressed") from error


def _literal(bits: _Bits, code: int) -> str | None:
    """A character as it is written for the first time; None at the end."""
    if code == 2:
        return None
    if code not in (0, 1):
        raise LzStringError("begins with a number that is not there")
    return chr(bits.read(8 if code == 0 else 16))
