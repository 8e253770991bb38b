"""Reviews of change requests, requests for them, and contributors."""

from db.content_enums import ContentFormat
from resolvers.change_requests import (
    contributors,
    operations as change_requests,
    reviews,
)
from resolvers.change_requests.reviews import ReviewArguments
from resolvers.core.pagination import PageArguments
from rest_compat.shapes.reviews import (
    CONTRIBUTOR,
    REQUESTED_REVIEWER,
    REVIEW_REQUESTS,
    review_answer,
)
from rest_compat.table import delete, get, page, post

REVIEWS_TAG = "change-requests-reviews"
REVIEWERS_TAG = "change-request-reviewers"
REQUEST = "/spaces/{spaceId}/change-requests/{changeRequestId}"
REVIEWS = f"{REQUEST}/reviews"
REVIEWERS = f"{REQUEST}/requested-reviewers"
# The change request as the object, and as the place of something.
FORMAT = {"choices": {"format": ContentFormat}}

ROUTES = (
    page(REVIEWS, "getReviewsByChangeRequestId", REVIEWS_TAG, change_requests.get_change_request,
         reviews.reviews_of_change_requests, ReviewArguments, review_answer, **FORMAT),
    post(REVIEWS, "submitChangeRequestReview", REVIEWS_TAG, reviews.submit_review, review_answer,
         status=201, location=f"{REVIEWS}/{{id}}"),
    get(f"{REVIEWS}/{{reviewId}}", "getReviewInChangeRequest", REVIEWS_TAG, reviews.get_review,
        review_answer, **FORMAT),
    page(REVIEWERS, "getRequestedReviewersByChangeRequestId", REVIEWERS_TAG,
         change_requests.get_change_request, reviews.requested_reviewers_of_change_requests,
         PageArguments, REQUESTED_REVIEWER),
    post(REVIEWERS, "requestReviewersForChangeRequest", REVIEWERS_TAG, reviews.request_reviewers,
         REVIEW_REQUESTS),
    delete(f"{REVIEWERS}/{{userId}}", "removeRequestedReviewerFromChangeRequest", REVIEWERS_TAG,
           reviews.withdraw_review_request),
    page(f"{REQUEST}/contributors", "getContributorsByChangeRequestId",
         "change-request-contributors", change_requests.get_change_request,
         contributors.contributors_of_change_requests, PageArguments, CONTRIBUTOR),
)  # fmt: skip
