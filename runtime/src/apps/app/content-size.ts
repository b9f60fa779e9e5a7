import type { McpUiSizeChangedNotificationParams } from "@mcpwright/protocol/extensions/apps";
import type { PageWindow } from "./page.js";

/**
 * Calls `changed` with the size of the page's content, now and when it changes: at most once per frame that is drawn.
 * @returns a function that stops it
 */
export function watchContentSize(
  page: PageWindow,
  changed: (size: Required<McpUiSizeChangedNotificationParams>) => void,
): () => void {
  const root = page.document.documentElement;
  let isWaiting = false;
  let isStopped = false;
  let last = "";
  const measure = (): void => {
    // The frame may have been requested before the end.
    if (isStopped) return;
    isWaiting = false;
    const { style } = root;
    const { height: own } = style;
    // A page that fills its frame would otherwise never become smaller.
    style.height = "max-content";
    const height = Math.ceil(root.getBoundingClientRect().height);
    style.height = own;
    const width = root.scrollWidth;
    const size = `${width} ${height}`;
    if (size !== last) changed({ width, height });
    last = size;
  };
  const observer = new page.ResizeObserver(() => {
    if (!isWaiting) page.requestAnimationFrame(measure);
    isWaiting = true;
  });
  observer.observe(root);
  return () => {
    isStopped = true;
    observer.disconnect();
  };
}
