import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { diagnostic, DiagnosticError } from "../../../shared/diagnostics/diagnostic.js";

/** A command of the DevTools protocol. */
type Send = (method: string, params?: object, sessionId?: string) => Promise<Members>;
/** Waits for the next event of a name. */
type NextEvent = (method: string) => Promise<void>;
type Members = Readonly<Record<string, unknown>>;

interface Controlled {
  readonly send: Send;
  readonly next: NextEvent;
  /** Rejects when the browser ends. */
  readonly ended: Promise<never>;
}

/** A page in a headless browser. */
export interface BrowserPage {
  /** Evaluates an expression, waits if it is a promise, and returns its value, which must be JSON. @throws Error of the page */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Returns a PNG of a part of the page, in CSS pixels. */
  readonly screenshot: (clip: Rectangle) => Promise<Buffer>;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const flags = [
  "--headless",
  "--remote-debugging-pipe",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
  "--no-default-browser-check",
  "--no-first-run",
  "--window-size=1024,1024",
  "about:blank",
];

/**
 * Opens a page in a new headless browser, and closes the browser when `use` has ended or `signal` is aborted. It is controlled over pipes
 * (`--remote-debugging-pipe`), so that no other program can connect to it.
 * @throws DiagnosticError app-browser-failed when the browser does not start, or ends
 */
export async function withPage<T>(
  program: string,
  url: string,
  use: (page: BrowserPage) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), "mcpwright-browser-"));
  // The sandbox of Chromium does not work for root.
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const child = spawn(program, [`--user-data-dir=${profile}`, ...asRoot, ...flags], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    // A browser that is killed leaves its temporary files.
    env: { ...process.env, TMPDIR: profile },
    windowsHide: true,
  });
  const exit = once(child, "close").catch(() => undefined);
  const browser = controlled(child, program);
  const stop = (): void => void child.kill();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return await Promise.race([browser.ended, openPage(browser, url).then(use)]);
  } finally {
    signal?.removeEventListener("abort", stop);
    child.kill();
    await exit;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Sends commands to a browser, each as JSON with a zero byte at its end. */
function controlled(child: ChildProcess, program: string): Controlled {
  const [, , stderr, input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
  const waiting = new Map<number, { resolve: (result: Members) => void; reject: (error: Error) => void }>();
  const events = new Map<string, () => void>();
  let said = "";
  stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2_000)));
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const { id, method, result, error } = JSON.parse(message) as {
        id?: number;
        method?: string;
        result?: Members;
        error?: { message: string };
      };
      if (method !== undefined) {
        events.get(method)?.();
        events.delete(method);
      }
      const call = id === undefined ? undefined : waiting.get(id);
      if (!call || id === undefined) continue;
      waiting.delete(id);
      if (error) call.reject(new Error(error.message));
      else call.resolve(result ?? {});
    }
  });
  // A browser that has ended is reported once, by `ended`.
  input.on("error", () => undefined);
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (reason: string): void =>
      reject(new DiagnosticError([diagnostic("app-browser-failed", { program, reason })]));
    child.once("error", (error) => end(error.message));
    child.once("close", (code, signal) =>
      end(said.trim() === "" ? `it ended with ${String(signal ?? code)}` : (said.trim().split("\n").at(-1) ?? "")),
    );
  });
  ended.catch(() => undefined);
  let count = 0;
  const send: Send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, { resolve, reject });
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`);
    });
  const next: NextEvent = (method) => new Promise((resolve) => events.set(method, resolve));
  return { send, next, ended };
}

async function openPage({ send, next }: Controlled, url: string): Promise<BrowserPage> {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const inPage = (method: string, params?: object): Promise<Members> => send(method, params, sessionId as string);
  await inPage("Page.enable");
  const loaded = next("Page.loadEventFired");
  const { errorText } = (await inPage("Page.navigate", { url })) as { errorText?: string };
  if (errorText !== undefined) throw new Error(`${url} cannot be opened: ${errorText}`);
  await loaded;
  return {
    async evaluate(expression) {
      const { result, exceptionDetails } = (await inPage("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })) as {
        result?: { value?: unknown };
        exceptionDetails?: { text: string; exception?: { description?: string } };
      };
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result?.value;
    },
    async screenshot(clip) {
      const params = { format: "png", clip: { ...clip, scale: 1 }, captureBeyondViewport: true };
      const { data } = await inPage("Page.captureScreenshot", params);
      return Buffer.from(data as string, "base64");
    },
  };
}
