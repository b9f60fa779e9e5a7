// The parts of a page that the app side needs. They are declared here, so that the package needs no types of a browser.

import type { PeerWindow, ReceivingWindow } from "../bridge/frame-window.js";

interface Rectangle {
  readonly height: number;
}

/** An element whose size is measured, or whose styles are set. */
export interface PageElement {
  readonly style: { setProperty(name: string, value: string): void; height: string };
  readonly scrollWidth: number;
  getBoundingClientRect(): Rectangle;
  setAttribute(name: string, value: string): void;
}

export interface PageDocument {
  readonly documentElement: PageElement;
  readonly head: { append(...nodes: readonly object[]): void };
  getElementById(id: string): object | null;
  createElement(name: "style"): { id: string; textContent: string | null };
}

/** The globals of a page. */
export interface PageWindow extends ReceivingWindow {
  readonly parent: PeerWindow;
  readonly document: PageDocument;
  readonly ResizeObserver: new (changed: () => void) => {
    observe(element: PageElement): void;
    disconnect(): void;
  };
  requestAnimationFrame(draw: () => void): unknown;
}

/** The window that this code runs in. */
export function pageWindow(): PageWindow {
  return globalThis as unknown as PageWindow;
}
