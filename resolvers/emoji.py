"""Emoji as callers write them: the character itself, or its code points in hexadecimal."""

# Pictographs, symbols, joiners, variation selectors, keycaps and flag tags; or hex code points.
EMOJI = (
    "[0-9a-fA-F]{2,6}(?:-[0-9a-fA-F]{2,6})*"
    "|[0-9#*]\ufe0f?\u20e3"
    "|[\u00a9\u00ae\u200d\u2030-\u2bff\u3030-\u303d\u3297-\u3299\ufe0f"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f]+"
)
ALLOWED = "an emoji, or its code points in hexadecimal joined with hyphens, such as 1f4d8"
LENGTH = 50
