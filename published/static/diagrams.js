// Diagrams of a page: drawn when the reader comes near, by a frame that can do nothing else, and
// shown as images. The source stays, folded away; where nothing can be drawn, it stays as it is.

const PATIENCE = 20_000;
const scheme = matchMedia("(prefers-color-scheme: dark)");
const places = [...document.querySelectorAll(".diagram")];

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : scheme.matches;
}

let opened;

// The window of the frame, once it listens.
function studio() {
  opened ??= new Promise((resolve, reject) => {
    const frame = document.createElement("iframe");
    // Without `allow-same-origin` it is nobody's page: no cookies, nothing of this one.
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = "Diagrams";
    frame.className = "diagram-studio";
    frame.setAttribute("aria-hidden", "true");
    frame.tabIndex = -1;
    const timer = setTimeout(() => reject(new Error("the frame does not answer")), PATIENCE);
    addEventListener("message", function ready(event) {
      if (event.source !== frame.contentWindow || event.data !== "ready") return;
      removeEventListener("message", ready);
      clearTimeout(timer);
      resolve(frame.contentWindow);
    });
    frame.src = new URL("diagram-frame.html", import.meta.url);
    document.body.append(frame);
  });
  return opened;
}

// The drawing of a source: {svg, width, height}.
async function draw(source, dark) {
  const target = await studio();
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => reject(new Error("it takes too long")), PATIENCE);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      port1.close();
      if (data.svg) resolve(data);
      else reject(new Error(data.error));
    };
    target.postMessage({ source, dark }, "*", [port2]);
  });
}

function show(place, drawing) {
  let image = place.querySelector(".drawing");
  if (!image) {
    image = document.createElement("img");
    image.className = "drawing";
    image.alt = place.dataset.label;
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = place.dataset.source;
    details.className = "diagram-source";
    details.append(summary, ...place.childNodes);
    place.append(image, details);
  }
  image.width = drawing.width;
  image.height = drawing.height;
  // An image runs no scripts and loads nothing, whatever is in it.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.svg)}`;
}

let turn = Promise.resolve();

// One after the other: the frame works for one at a time.
function take(place) {
  turn = turn.then(async () => {
    const dark = isDark();
    if (place.dataset.drawn === String(dark)) return;
    place.dataset.drawn = String(dark);
    try {
      show(place, await draw(place.querySelector("pre").textContent, dark));
    } catch (error) {
      if (place.querySelector(".diagram-failed, .drawing")) return;
      const note = document.createElement("p");
      note.className = "diagram-failed";
      note.textContent = place.dataset.failed;
      place.prepend(note);
    }
  });
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      target.dataset.near = String(isIntersecting);
      if (isIntersecting) take(target);
    }
  },
  { rootMargin: "600px" },
);
places.forEach((place) => near.observe(place));

function again() {
  places.filter((place) => place.dataset.near === "true").forEach(take);
}
scheme.addEventListener("change", again);
new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
