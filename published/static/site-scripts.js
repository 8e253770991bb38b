// Scripts that integrations add to a page. What sets cookies is loaded when the reader has agreed.

const place = document.getElementById("site:scripts");
if (place) {
  const { scripts, path, about, accept, reject, cookies, privacy, privacyLabel } = place.dataset;
  const NAME = "__gitbook_cookie_granted";
  const YEAR = 31536000;
  const all = JSON.parse(scripts);
  const load = (some) => {
    for (const { src } of some) {
      const element = document.createElement("script");
      element.src = src;
      element.async = true;
      document.head.append(element);
    }
  };
  const choice = () => {
    const kept = document.cookie.split("; ").find((pair) => pair.startsWith(`${NAME}=`));
    // A browser that says no for its reader is not asked again.
    return kept ? kept.slice(NAME.length + 1) : navigator.globalPrivacyControl ? "no" : "";
  };
  const needed = all.filter((script) => script.cookies);
  load(all.filter((script) => !script.cookies));
  if (needed.length) {
    if (choice() === "yes") load(needed);
    if (choice() === "") ask();
    // The choice can be changed on every page.
    const again = document.createElement("button");
    again.type = "button";
    again.className = "cookies-again";
    again.textContent = cookies;
    again.addEventListener("click", () => ask(again));
    (document.querySelector("footer") ?? document.body).append(again);
  }

  function ask(from) {
    if (document.querySelector(".cookies")) return;
    const box = document.createElement("section");
    box.className = "cookies";
    box.setAttribute("aria-label", cookies);
    const words = document.createElement("p");
    words.textContent = `${about} `;
    if (privacy) {
      const link = document.createElement("a");
      link.href = privacy;
      link.textContent = privacyLabel;
      words.append(link);
    }
    box.append(words);
    for (const [label, value] of [[reject, "no"], [accept, "yes"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => choose(value, box, from));
      box.append(button);
    }
    document.body.append(box);
    if (from) box.querySelector("button").focus();
  }

  function choose(value, box, from) {
    const before = choice();
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${NAME}=${value}; Path=${path}; Max-Age=${YEAR}; SameSite=Lax${secure}`;
    box.remove();
    from?.focus();
    if (value === "yes" && before !== "yes") load(needed);
    // What runs already cannot be taken back, but for a new page.
    if (value === "no" && before === "yes") location.reload();
  }
}
