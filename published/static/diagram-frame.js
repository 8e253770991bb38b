// Draws one diagram after the other for the page that this frame is in. The frame has no origin, and
// its policy lets it load these modules and nothing else.

import mermaid from "./mermaid/mermaid.esm.min.mjs";

const LONGEST_SIDE = 10_000, CHARACTERS = 20_000, EDGES = 500;
let number = 0;

async function draw(source, dark) {
  if (typeof source !== "string" || source.length > CHARACTERS) throw new Error("it is too long");
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    // ELK is not shipped; what a diagram says of its layout must not ask for it.
    layout: "dagre",
    secure: ["secure", "securityLevel", "startOnLoad", "suppressErrorRendering", "maxTextSize",
      "maxEdges", "layout", "htmlLabels", "fontFamily"],
    suppressErrorRendering: true,
    theme: dark ? "dark" : "default",
    fontFamily: "system-ui, sans-serif",
    maxTextSize: CHARACTERS,
    maxEdges: EDGES,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
  });
  const { svg } = await mermaid.render(`drawing-${++number}`, source);
  const holder = document.createElement("div");
  holder.innerHTML = svg;
  const drawn = holder.querySelector("svg");
  const [, , width, height] = (drawn.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error("it has no size");
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  drawn.removeAttribute("style");
  drawn.setAttribute("width", Math.ceil(width * scale));
  drawn.setAttribute("height", Math.ceil(height * scale));
  return {
    // Well-formed XML, which HTML need not be.
    svg: new XMLSerializer().serializeToString(drawn),
    width: Math.ceil(width * scale),
    height: Math.ceil(height * scale),
  };
}

addEventListener("message", async ({ source, data, ports: [port] }) => {
  if (source !== parent || !port) return;
  try {
    port.postMessage(await draw(data.source, data.dark === true));
  } catch (error) {
    port.postMessage({ error: String(error?.message ?? error).slice(0, 500) });
  } finally {
    document.body.replaceChildren();
  }
});
parent.postMessage("ready", "*");
