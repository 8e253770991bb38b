from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from content.media.image_size import Dimensions, image_dimensions

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x00\x80"
GIF = b"GIF89a\x40\x01\xf0\x00"
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x64\x00\xc8\x03"
WEBP_VP8X = b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x0f\x00\x00\x1f\x00\x00"
WEBP_VP8 = b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x10\x00\x20\x00"
WEBP_VP8L = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x0f\xc0\x07\x00" + b"\x00" * 5


@pytest.mark.parametrize(
    ("data", "content_type", "size"),
    [
        (PNG, "image/png", (256, 128)),
        (GIF, "image/gif", (320, 240)),
        (JPEG, "image/jpeg", (200, 100)),
        (WEBP_VP8X, "image/webp", (16, 32)),
        (WEBP_VP8, "image/webp", (16, 32)),
        (WEBP_VP8L, "image/webp", (16, 32)),
        (b"<?xml?><svg width=\"10px\" height='20.4'>", "image/svg+xml", (10, 20)),
        (b'<svg viewBox="0 0 30 40">', "image/svg+xml", (30, 40)),
    ],
)
def test_dimensions(data: bytes, content_type: str, size: tuple[int, int]) -> None:
    assert image_dimensions(data, content_type) == Dimensions(*size)


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (PNG, "image/gif"),
        (PNG[:20], "image/png"),
        (JPEG[:12], "image/jpeg"),
        (b"<svg viewBox='0 0 nan 1'>", "image/svg+xml"),
        (b'<svg width="0" height="0">', "image/svg+xml"),
        (PNG, "text/plain"),
    ],
)
def test_no_dimensions(data: bytes, content_type: str) -> None:
    assert image_dimensions(data, content_type) is None


@given(
    st.sampled_from([PNG, GIF, JPEG, WEBP_VP8, WEBP_VP8L, WEBP_VP8X, b"<svg "]),
    st.integers(0, 40),
    st.binary(max_size=40),
    st.sampled_from(["image/png", "image/gif", "image/jpeg", "image/webp", "image/svg+xml"]),
)
def test_damaged_images_give_dimensions_or_none(
    head: bytes, cut: int, tail: bytes, content_type: str
) -> None:
    found = image_dimensions(head[:cut] + tail, content_type)
    assert found is None or (found.width >= 1 and found.height >= 1)
