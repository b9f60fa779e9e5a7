// The parts of a page that the host side needs. They are declared here, so that the package needs no types of a browser.

import type { PeerWindow, ReceivingWindow } from "../bridge/frame-window.js";

/** An `iframe` element. */
export interface AppFrame {
  readonly contentWindow: PeerWindow | null;
  readonly isConnected: boolean;
  readonly style: { width: string; height: string };
  src: string;
  setAttribute(name: string, value: string): void;
  addEventListener(type: "load", listener: () => void): void;
  removeEventListener(type: "load", listener: () => void): void;
  remove(): void;
}

/** An element of the page. */
export interface AppContainer {
  append(...nodes: never[]): void;
}

/** The globals of a page that shows apps. */
export interface HostWindow extends ReceivingWindow {
  readonly document: object;
  readonly location: { readonly origin: string };
  readonly MutationObserver: new (changed: () => void) => {
    observe(target: object, options: { readonly childList: true; readonly subtree: true }): void;
    disconnect(): void;
  };
}

/** The window that this code runs in. */
export function hostWindow(): HostWindow {
  return globalThis as unknown as HostWindow;
}
