"""Comments and replies: two families of the same operations.

On a space itself `change_request_id` stays absent; on a change request it comes from the path.
"""

from db.content_enums import ContentFormat
from resolvers.change_requests import operations as change_requests
from resolvers.comments import (
    fields as comment_lists,
    operations as comments,
    replies as comment_replies,
)
from resolvers.comments.fields import CommentArguments
from resolvers.core.pagination import PageArguments
from resolvers.spaces import operations as spaces
from rest_compat.shapes.comments import comment_answer, reply_answer
from rest_compat.shapes.organizations import MEMBER
from rest_compat.table import delete, get, page, post, put

SPACE_TAG = "space-comments"
SPACE = "/spaces/{spaceId}"
SPACE_COMMENTS = SPACE + "/comments"
SPACE_ONE = SPACE_COMMENTS + "/{commentId}"
SPACE_REPLIES = SPACE_ONE + "/replies"
SPACE_REPLY = SPACE_REPLIES + "/{commentReplyId}"
IN_SPACE = {"space_id": "spaceId"}
# A comment on the space: no change request, not even by a query parameter.
ON_SPACE = {"unused": ("change_request_id",)}

REQUEST_TAG = "change-request-comments"
REQUEST = SPACE + "/change-requests/{changeRequestId}"
REQUEST_COMMENTS = REQUEST + "/comments"
REQUEST_ONE = REQUEST_COMMENTS + "/{commentId}"
REQUEST_REPLIES = REQUEST_ONE + "/replies"
REQUEST_REPLY = REQUEST_REPLIES + "/{commentReplyId}"
IN_REQUEST = {"space_id": "spaceId", "change_request_id": "changeRequestId"}

COMMENT = {"id": "commentId"}
OF_COMMENT = {"comment_id": "commentId"}
REPLY = {"comment_id": "commentId", "id": "commentReplyId"}
FORMAT = {"choices": {"format": ContentFormat}}

SPACE_ROUTES = (
    page(SPACE_COMMENTS, "listCommentsInSpace", SPACE_TAG, spaces.get_space,
         comment_lists.comments_of_spaces, CommentArguments, comment_answer, id="spaceId",
         unused=("share_key",), **FORMAT),
    post(SPACE_COMMENTS, "postCommentInSpace", SPACE_TAG, comments.post_comment, comment_answer,
         **IN_SPACE, **ON_SPACE),
    get(SPACE_ONE, "getCommentInSpace", SPACE_TAG, comments.get_comment, comment_answer,
        **IN_SPACE, **COMMENT, **ON_SPACE, **FORMAT),
    put(SPACE_ONE, "updateCommentInSpace", SPACE_TAG, comments.update_comment, comment_answer,
        **IN_SPACE, **COMMENT, **ON_SPACE),
    delete(SPACE_ONE, "deleteCommentInSpace", SPACE_TAG, comments.delete_comment, **IN_SPACE,
           **COMMENT, **ON_SPACE),
    page(SPACE_REPLIES, "listCommentRepliesInSpace", SPACE_TAG, comments.get_comment,
         comment_lists.replies_of_comments, PageArguments, reply_answer, **IN_SPACE, **COMMENT,
         **ON_SPACE, **FORMAT),
    post(SPACE_REPLIES, "postCommentReplyInSpace", SPACE_TAG, comment_replies.reply_to_comment,
         reply_answer, **IN_SPACE, **OF_COMMENT, **ON_SPACE),
    get(SPACE_REPLY, "getCommentReplyInSpace", SPACE_TAG, comment_replies.get_comment_reply,
        reply_answer, **IN_SPACE, **REPLY, **ON_SPACE, **FORMAT),
    put(SPACE_REPLY, "updateCommentReplyInSpace", SPACE_TAG, comment_replies.update_comment_reply,
        reply_answer, **IN_SPACE, **REPLY, **ON_SPACE),
    delete(SPACE_REPLY, "deleteCommentReplyInSpace", SPACE_TAG,
           comment_replies.delete_comment_reply, **IN_SPACE, **REPLY, **ON_SPACE),
    page(SPACE + "/commenters", "listCommentersInSpace", SPACE_TAG, spaces.get_space,
         comment_lists.commenters_of_spaces, PageArguments, MEMBER, id="spaceId",
         unused=("share_key",)),
)  # fmt: skip

REQUEST_ROUTES = (
    page(REQUEST_COMMENTS, "listCommentsInChangeRequest", REQUEST_TAG,
         change_requests.get_change_request, comment_lists.comments_of_change_requests,
         CommentArguments, comment_answer, space_id="spaceId", id="changeRequestId", **FORMAT),
    post(REQUEST_COMMENTS, "postCommentInChangeRequest", REQUEST_TAG, comments.post_comment,
         comment_answer, **IN_REQUEST),
    get(REQUEST_ONE, "getCommentInChangeRequest", REQUEST_TAG, comments.get_comment,
        comment_answer, **IN_REQUEST, **COMMENT, **FORMAT),
    put(REQUEST_ONE, "updateCommentInChangeRequest", REQUEST_TAG, comments.update_comment,
        comment_answer, **IN_REQUEST, **COMMENT),
    delete(REQUEST_ONE, "deleteCommentInChangeRequest", REQUEST_TAG, comments.delete_comment,
           **IN_REQUEST, **COMMENT),
    page(REQUEST_REPLIES, "listCommentRepliesInChangeRequest", REQUEST_TAG, comments.get_comment,
         comment_lists.replies_of_comments, PageArguments, reply_answer, **IN_REQUEST, **COMMENT,
         **FORMAT),
    post(REQUEST_REPLIES, "postCommentReplyInChangeRequest", REQUEST_TAG,
         comment_replies.reply_to_comment, reply_answer, **IN_REQUEST, **OF_COMMENT, **FORMAT),
    get(REQUEST_REPLY, "getCommentReplyInChangeRequest", REQUEST_TAG,
        comment_replies.get_comment_reply, reply_answer, **IN_REQUEST, **REPLY, **FORMAT),
    put(REQUEST_REPLY, "updateCommentReplyInChangeRequest", REQUEST_TAG,
        comment_replies.update_comment_reply, reply_answer, **IN_REQUEST, **REPLY),
    delete(REQUEST_REPLY, "deleteCommentReplyInChangeRequest", REQUEST_TAG,
           comment_replies.delete_comment_reply, **IN_REQUEST, **REPLY),
    page(REQUEST + "/commenters", "listCommentersInChangeRequest", REQUEST_TAG,
         change_requests.get_change_request, comment_lists.commenters_of_change_requests,
         PageArguments, MEMBER, space_id="spaceId", id="changeRequestId"),
)  # fmt: skip

ROUTES = SPACE_ROUTES + REQUEST_ROUTES
