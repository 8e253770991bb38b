// Feedback on a page without leaving it: the forms are sent in place, the next one comes with the
// answer.

const place = document.querySelector("form.feedback");
if (place) {
  const { comment, send: sends, failed } = place.dataset;
  const box = document.createElement("div");
  box.className = "feedback-box";
  box.setAttribute("aria-live", "polite");
  place.replaceWith(box);
  box.append(place);
  box.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const buttons = form.querySelectorAll("button");
    buttons.forEach((button) => (button.disabled = true));
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body,
        headers: { Accept: "application/json" },
      });
      const { message } = await answer.json();
      if (!answer.ok) throw new Error(message);
      show(message, body.has("comment") ? null : form, body);
    } catch (error) {
      buttons.forEach((button) => (button.disabled = false));
      let problem = form.querySelector(".feedback-problem");
      if (!problem) {
        problem = document.createElement("p");
        problem.className = "feedback-problem";
        form.append(problem);
      }
      problem.textContent = error.message || failed;
    }
  });

  function show(message, rated, sent) {
    const thanks = document.createElement("p");
    thanks.textContent = message;
    const parts = [thanks];
    if (rated) parts.push(commentForm(rated.action, sent));
    box.replaceChildren(...parts);
  }

  function commentForm(action, sent) {
    const form = document.createElement("form");
    const label = document.createElement("label");
    const field = document.createElement("textarea");
    const send = document.createElement("button");
    form.className = "feedback";
    form.method = "post";
    form.action = action;
    label.htmlFor = field.id = "site:feedback-comment";
    label.textContent = comment;
    Object.assign(field, { name: "comment", rows: 4, maxLength: 512, required: true });
    send.textContent = sends;
    for (const name of ["page", "rating"]) {
      const hidden = document.createElement("input");
      Object.assign(hidden, { type: "hidden", name, value: sent.get(name) ?? "" });
      form.append(hidden);
    }
    form.append(label, field, send);
    return form;
  }
}
