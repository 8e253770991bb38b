"""Comments and replies: two families of the same operations.

On a space itself `change_request_id` stays absent; on a change request it comes from the path.
"""

from db.content_enums import ContentFormat
from resolvers.change_requests import operations as change_requests
from resolvers.comments import fields as comment_lists, operations as comments
from resolvers.comments.fields import CommentArguments
from resolvers.core.context import Batch
from resolvers.core.pagination import PageArguments
from resolvers.spaces import operations as spaces
from rest_compat.shapes.comments import comment_answer, reply_answer
from rest_compat.shapes.organizations import MEMBER
from rest_compat.table import Operation, Row, delete, get, page, post, put

SPACE = "/spaces/{spaceId}"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
FORMAT = {"choices": {"format": ContentFormat}}


def _family(
    base: str,
    tag: str,
    name: str,
    parent: tuple[Operation, Batch, Batch],
    *,
    of_parent: tuple[str, ...] = (),
    of_comment: tuple[str, ...] = (),
) -> tuple[Row, ...]:
    """The operations below `base`, whose ids end in `name`.

    `parent` is what finds the parent, its comments, and its commenters; the rest is what stays
    unused of the parameters of the parent and of a comment.
    """
    find, listed, commenters = parent
    comments_path = f"{base}/comments"
    comment_path = f"{comments_path}/{{commentId}}"
    replies_path = f"{comment_path}/replies"
    reply_path = f"{replies_path}/{{commentReplyId}}"
    return (
        page(comments_path, f"listCommentsIn{name}", tag, find, listed, CommentArguments,
             comment_answer, unused=of_parent, **FORMAT),
        post(comments_path, f"postCommentIn{name}", tag, comments.post_comment, comment_answer,
             unused=of_comment),
        get(comment_path, f"getCommentIn{name}", tag, comments.get_comment, comment_answer,
            unused=of_comment, **FORMAT),
        put(comment_path, f"updateCommentIn{name}", tag, comments.update_comment, comment_answer,
            unused=of_comment),
        delete(comment_path, f"deleteCommentIn{name}", tag, comments.delete_comment,
               unused=of_comment),
        page(replies_path, f"listCommentRepliesIn{name}", tag, comments.get_comment,
             comment_lists.replies_of_comments, PageArguments, reply_answer, unused=of_comment,
             **FORMAT),
        # A format can be asked for in the answer to a new reply on a change request only.
        post(replies_path, f"postCommentReplyIn{name}", tag, comments.reply_to_comment,
             reply_answer, unused=of_comment, **({} if of_comment else FORMAT)),
        get(reply_path, f"getCommentReplyIn{name}", tag, comments.get_comment_reply,
            reply_answer, unused=of_comment, **FORMAT),
        put(reply_path, f"updateCommentReplyIn{name}", tag, comments.update_comment_reply,
            reply_answer, unused=of_comment),
        delete(reply_path, f"deleteCommentReplyIn{name}", tag,
               comments.delete_comment_reply, unused=of_comment),
        page(f"{base}/commenters", f"listCommentersIn{name}", tag, find, commenters,
             PageArguments, MEMBER, unused=of_parent),
    )  # fmt: skip


ROUTES = (
    *_family(
        SPACE, "space-comments", "Space",
        (spaces.get_space, comment_lists.comments_of_spaces, comment_lists.commenters_of_spaces),
        # A comment on the space: no change request, not even by a query parameter.
        of_parent=("share_key",), of_comment=("change_request_id",),
    ),
    *_family(
        REQUEST, "change-request-comments", "ChangeRequest",
        (change_requests.get_change_request, comment_lists.comments_of_change_requests,
         comment_lists.commenters_of_change_requests),
    ),
)  # fmt: skip
