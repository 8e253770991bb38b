"""Keeping answers of /v1: the one of a request is looked for, or kept when it was made.

Content is kept by who may read it, and verified by the policy each time; answers that are the same
for everybody are kept by their question (resolvers/access/kept_answers.py, decision 100).
"""

import time
from dataclasses import dataclass, field

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from resolvers.access.kept_answers import KeptAnswer, KeptAnswers, Key
from resolvers.access.versions import Lasting
from resolvers.core.actors import Actor
from resolvers.core.dependencies import Dependencies
from resolvers.core.runners import must_hold_scope
from rest_compat.entity_tags import is_known
from rest_compat.server_port import ServerPort
from rest_compat.shape import Json
from rest_compat.table import Row

OF_QUESTIONS = "question"
# A question with a longer body is not kept.
LONGEST_BODY = 2_500


class KeptResponse(Response):
    """A kept answer, with what codings of its body are there, or are left there."""

    def __init__(self, answer: KeptAnswer) -> None:
        self.status_code, self.background, self.body = 200, None, answer.body
        self.raw_headers = list(answer.headers)
        self._codings = answer.codings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        coded = {"codings": self._codings}
        headers = self.raw_headers
        start = {"type": "http.response.start", "status": self.status_code, "headers": headers}
        await send(start | coded)
        await send({"type": "http.response.body", "body": self.body} | coded)


@dataclass(slots=True)
class Keeping:
    """The keeping of the answer to one request."""

    server: ServerPort
    answers: KeptAnswers
    actor: Actor
    request: Request
    key: Key
    dependencies: Dependencies | None = None
    # Until when the answer holds, where that was asked for.
    lasting: Lasting | None = None
    started: float = field(default_factory=time.time)

    async def found(self, row: Row) -> Response | None:
        """The kept answer, for a caller who may call the operation."""
        must_hold_scope(self.actor, row.operation, writes=False)
        quota = self.server.quota(self.request)
        answer = await self.answers.get(
            self.server.points, self.actor, self.key, self.started, quota
        )
        if answer is None:
            return None
        if answer.tag and is_known(self.request, answer.tag):
            return Response(status_code=304, headers={"ETag": answer.tag})
        return KeptResponse(answer)

    def keep(self, response: Response) -> Response:
        """Keep an answer that was made, where that may be."""
        if response.status_code != 200:
            return response
        body, headers = bytes(response.body), list(response.raw_headers)
        tag = response.headers.get("etag", "")
        if self.dependencies is not None:
            self.answers.put(self.actor, self.key, self.dependencies, body, headers, tag)
        elif self.lasting is not None:
            lasting = self.lasting
            answer = KeptAnswer(body, headers, tag, Dependencies(), lasting.versions, lasting.ends)
            self.answers.put_with(self.key, answer)
        return response


def keeping_of_content(server: ServerPort, actor: Actor, request: Request) -> Keeping | None:
    """The keeping of an answer about content; None where it is not kept."""
    answers = server.kept
    if answers is None:
        return None
    values = request.path_params.values()
    operation = request.scope["route"].operation_id
    key = answers.key(actor, operation, request.scope["query_string"], *values)
    if key is None:
        return None
    return Keeping(server, answers, actor, request, key, Dependencies())


def keeping_of_question(
    server: ServerPort, actor: Actor, request: Request, body: Json | None, handling: str | None
) -> Keeping | None:
    """The keeping of an answer that follows from the body of the request alone, and from how it is
    handled, whoever asks."""
    answers = server.kept
    if answers is None or body is None:
        return None
    question = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    if len(question) > LONGEST_BODY:
        return None
    key = (OF_QUESTIONS, request.scope["route"].operation_id, handling, question)
    return Keeping(server, answers, actor, request, key)
