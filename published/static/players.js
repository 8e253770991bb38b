// Players of videos and the like: a frame is made when the reader asks for it, not before.

for (const place of document.querySelectorAll(".player[data-src]")) {
  const offer = document.createElement("div");
  const button = document.createElement("button");
  const note = document.createElement("p");
  offer.className = "player-offer";
  button.type = "button";
  button.textContent = place.dataset.offer;
  button.setAttribute("aria-label", `${place.dataset.offer}: ${place.dataset.title}`);
  note.textContent = place.dataset.note;
  offer.append(button, note);
  place.append(offer);
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.title = place.dataset.title;
    frame.height = place.dataset.height;
    frame.className = "player-frame";
    frame.setAttribute("sandbox", place.dataset.sandbox);
    frame.setAttribute("allow", "fullscreen; picture-in-picture; encrypted-media");
    // Some services play nothing without knowing the site; the page stays untold.
    frame.referrerPolicy = "strict-origin";
    frame.src = place.dataset.src;
    offer.replaceWith(frame);
    frame.focus();
  });
}
