import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  LoopbackInteraction,
  type LoopbackInteractionOptions,
} from "../../../runtime/src/auth-node/loopback-interaction.js";
import type { ActiveInteraction } from "../../../runtime/src/auth/grants/authorization-interaction.js";

const state = "s".repeat(43);
const page = new URL(`https://as.example/authorize?state=${state}`);
const never = new AbortController().signal;

interface Setting extends LoopbackInteractionOptions {
  readonly signal?: AbortSignal;
  readonly registered?: readonly string[];
  readonly onBegin?: (redirectUri: string) => void;
}

/** Runs one log-in, with a browser that does what `browser` does. */
async function logIn(
  browser: (redirectUri: string) => unknown,
  { signal = never, registered = [], onBegin, ...options }: Setting = {},
): Promise<{ readonly callback: string; readonly lines: readonly string[]; readonly redirectUri: string }> {
  const lines: string[] = [];
  const print = (line: string): unknown => lines.push(line);
  const openUrl = (): boolean => {
    void browser(active.redirectUri);
    return options.ask === undefined;
  };
  const interaction = new LoopbackInteraction({ openUrl, print, ...options });
  const active: ActiveInteraction = await interaction.begin({ signal, registeredRedirectUris: registered });
  onBegin?.(active.redirectUri);
  try {
    const callback = await active.authorize(page);
    return { callback: String(callback), lines, redirectUri: active.redirectUri };
  } finally {
    await active.end("success");
    await expect(fetch(active.redirectUri)).rejects.toThrow("fetch failed");
  }
}

const visit = (redirectUri: string): Promise<string> =>
  fetch(`${redirectUri}?code=c&state=${state}`).then((response) => response.text());

test("the browser opens, and brings the callback", async () => {
  let shown: Promise<string> | undefined;
  const { callback, lines, redirectUri } = await logIn((uri) => (shown = visit(uri)));
  expect(callback).toBe(`${redirectUri}?code=c&state=${state}`);
  expect(await shown).toContain("You are logged in");
  expect(lines).toEqual(["Log in on the page that opens in your browser. If none opens, visit:", page.href]);
});

test("without a browser, the URL is printed, and works on any browser of the machine", async () => {
  const lines: string[] = [];
  let uri = "";
  const { callback } = await logIn(() => undefined, {
    openUrl: () => false,
    print: (line) => {
      lines.push(line);
      if (line === page.href) void visit(uri);
    },
    ask: (question) => {
      lines.push(question);
      return Promise.resolve(undefined);
    },
    onBegin: (redirectUri) => (uri = redirectUri),
  });
  expect(callback).toContain("code=c");
  expect(lines.slice(0, 2)).toEqual(["To log in, visit:", page.href]);
});

describe("the user pastes the address", () => {
  test("after addresses that do not belong to the log-in", async () => {
    const answers = (uri: string): string[] => [
      "",
      "code",
      page.href,
      `${uri}?code=c&state=other`,
      ` ${uri}?code=pasted&state=${state}\n`,
    ];
    let left: string[] | undefined;
    let uri = "";
    const { callback, lines } = await logIn((redirectUri) => (uri = redirectUri), {
      ask: () => Promise.resolve((left ??= answers(uri)).shift()),
    });
    expect(callback).toBe(`${uri}?code=pasted&state=${state}`);
    expect(lines.filter((line) => line.includes("not the address"))).toHaveLength(3);
  });

  test("or the callback arrives, which ends the question", async () => {
    let ended = false;
    const { callback } = await logIn((uri) => void visit(uri), {
      ask: async (_question, signal) => {
        await once(signal, "abort");
        ended = true;
        throw new Error("the question was withdrawn");
      },
    });
    expect(callback).toContain("code=c");
    expect(ended).toBe(true);
  });

  test("or closes the terminal, and the browser brings the callback", async () => {
    const { callback } = await logIn((uri) => setTimeout(() => void visit(uri), 20), {
      ask: () => Promise.resolve(undefined),
    });
    expect(callback).toContain("code=c");
  });
});

describe("the log-in ends without a callback", () => {
  test("after a while, when the user closes the browser", () =>
    expect(logIn(() => undefined, { loginTimeoutMs: 30 })).rejects.toMatchObject({
      reason: "abandoned",
      message: expect.stringContaining("start it again") as string,
    }));

  test("with the reason of an abort, such as Ctrl-C", async () => {
    const end = new AbortController();
    const reason = new Error("interrupted");
    await expect(logIn(() => end.abort(reason), { signal: end.signal })).rejects.toBe(reason);
    await expect(logIn(() => undefined, { signal: end.signal })).rejects.toBe(reason);
  });

  test("when it is aborted before the port is open, which is closed again", async () => {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, "close");
    const end = new AbortController();
    const beginning = new LoopbackInteraction({ port }).begin({ signal: end.signal, registeredRedirectUris: [] });
    end.abort(new Error("interrupted"));
    await expect(beginning).rejects.toThrow("interrupted");
    await expect(fetch(`http://127.0.0.1:${port}/callback`)).rejects.toThrow("fetch failed");
  });

  test("when the page cannot be opened safely", () =>
    expect(logIn(() => undefined, { openUrl: () => Promise.reject(new Error("not https")) })).rejects.toThrow(
      "not https",
    ));

  test("when the question fails", () =>
    expect(logIn(() => undefined, { ask: () => Promise.reject(new Error("broken")) })).rejects.toThrow("broken"));
});

describe("the port", () => {
  test("is that of the registration, if it is free and the rest of the URI fits", async () => {
    const before = createServer().listen(0, "127.0.0.1");
    await once(before, "listening");
    const { port } = before.address() as AddressInfo;
    const registered = [
      `http://localhost:${port}/callback`,
      "https://app.example/callback",
      `http://127.0.0.1:${port}/callback`,
    ];
    const other = await logIn((uri) => void visit(uri), { registered });
    expect(other.redirectUri).not.toBe(registered[2]);
    before.close();
    await once(before, "close");
    expect((await logIn((uri) => void visit(uri), { registered })).redirectUri).toBe(registered[2]);
  });

  test("is in use, because another log-in runs on it", async () => {
    const first = await new LoopbackInteraction({}).begin({ signal: never, registeredRedirectUris: [] });
    const port = Number(new URL(first.redirectUri).port);
    await expect(logIn(() => undefined, { port })).rejects.toMatchObject({
      reason: "callback-unavailable",
      message: expect.stringContaining("the port is in use") as string,
    });
    await first.end(new Error("done"));
  });
});

test("a second page gets the callback when the log-in has to be repeated", async () => {
  const pages: Promise<string>[] = [];
  const openUrl = (url: URL): boolean => {
    pages.push(
      fetch(`${active.redirectUri}?code=c${pages.length}&state=${url.searchParams.get("state") ?? ""}`).then(
        (response) => response.text(),
      ),
    );
    return true;
  };
  const interaction = new LoopbackInteraction({ openUrl, print: () => undefined });
  const active: ActiveInteraction = await interaction.begin({ signal: never, registeredRedirectUris: [] });
  expect(String(await active.authorize(page))).toContain("code=c0");
  expect(String(await active.authorize(new URL("https://as.example/?state=second")))).toContain("code=c1&state=second");
  await active.end("success");
  const [first, second] = await Promise.all(pages);
  expect(first).toContain("continues on another page");
  expect(second).toContain("You are logged in");
});
