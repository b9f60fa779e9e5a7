/** Makes the tabs of a page work: with the mouse, and with the arrow keys as in the pattern of WAI-ARIA. */
export function startTabs(tabs: readonly HTMLElement[]): void {
  const select = (chosen: HTMLElement): void => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      if (step === 0 || !next) return;
      select(next);
      next.focus();
    });
  });
}
