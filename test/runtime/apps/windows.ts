import type { ReceivingWindow, WindowMessage } from "../../../runtime/src/apps/bridge/frame-window.js";

/** A window that is not in a browser. What it is sent arrives when `settled` is awaited, as in browsers: later, and as a copy. */
export class FakeWindow implements ReceivingWindow {
  readonly #listeners = new Set<(event: WindowMessage) => void>();
  /** The messages that were sent to the window, with the origin that the sender named. */
  readonly sent: { readonly message: unknown; readonly targetOrigin: string }[] = [];

  constructor(readonly origin: string) {}

  addEventListener(_type: "message", listener: (event: WindowMessage) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "message", listener: (event: WindowMessage) => void): void {
    this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Delivers a message at once. */
  receive(data: unknown, origin: string, source: object | null): void {
    for (const listener of [...this.#listeners]) listener({ data, origin, source });
  }

  /** What `from` sees of this window: the function that sends to it. */
  seenBy(from: FakeWindow): SeenWindow {
    return new SeenWindow(this, from);
  }
}

/** A window as another one sees it: with `postMessage` only. */
export class SeenWindow {
  constructor(
    readonly to: FakeWindow,
    readonly from: FakeWindow,
  ) {}

  postMessage(message: unknown, targetOrigin: string): void {
    const copy: unknown = structuredClone(message);
    this.to.sent.push({ message: copy, targetOrigin });
    if (targetOrigin !== "*" && targetOrigin !== this.to.origin) return;
    const source = linkOf(this.to, this.from);
    queueMicrotask(() => this.to.receive(copy, this.from.origin, source));
  }
}

const links = new Map<FakeWindow, Map<FakeWindow, SeenWindow>>();

/** The same object for each message of `from` to `to`: the one with which `to` answers. */
function linkOf(to: FakeWindow, from: FakeWindow): SeenWindow {
  const known = links.get(to) ?? new Map<FakeWindow, SeenWindow>();
  links.set(to, known);
  const link = known.get(from) ?? from.seenBy(to);
  known.set(from, link);
  return link;
}

/** Two windows: `peerOf` gives each the other one. */
export function twoWindows(hostOrigin = "https://host.example", appOrigin = "null") {
  const host = new FakeWindow(hostOrigin);
  const app = new FakeWindow(appOrigin);
  return { host, app, appInHost: linkOf(host, app), hostInApp: linkOf(app, host) };
}
