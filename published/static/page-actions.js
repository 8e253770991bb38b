// Actions of a page that copy: its Markdown, or an address.

async function textOf({ copies, address }) {
  const url = new URL(address, location.href);
  if (copies === "address") return url.href;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.text();
}

const menu = document.querySelector("details.page-actions");

if (navigator.clipboard) {
  for (const button of document.querySelectorAll(".page-actions button[data-copies]")) {
    const label = button.textContent;
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(await textOf(button.dataset));
        button.textContent = menu.dataset.copied;
      } catch {
        button.textContent = menu.dataset.failed;
      }
      setTimeout(() => (button.textContent = label), 2000);
    });
  }
}
// The menu closes as menus do.
menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
