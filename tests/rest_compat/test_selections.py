"""Shapes become selections once, whichever thread asks first."""

import threading
import time
from typing import Any

from rest_compat.selections import selection_of
from rest_compat.shape import Shape, nested, shape
from schema.types import comments
from schema.types.content import pages


def test_no_thread_sees_a_selection_that_is_not_complete() -> None:
    began = threading.Event()

    def slow() -> Shape:
        began.set()
        time.sleep(0.2)
        return shape(pages.GitBlob, "oid path")

    whole = shape(comments.CommentReply, "id postedAt", {"object": "reply"}, urls=nested(slow))
    seen: list[Any] = []
    first = threading.Thread(target=lambda: seen.append(selection_of(whole)))
    first.start()
    assert began.wait(10)
    second = selection_of(whole)
    assert [field.name for field in second.fields] == ["object", "id", "postedAt", "urls"]
    first.join()
    assert seen == [second]
