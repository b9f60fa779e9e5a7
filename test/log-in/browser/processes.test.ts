/** Processes share a store of credentials on the disk; the user logs in with Chromium. */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { BrowserUser, startBrowser } from "../../auth-server/browser-user.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Servers, startServers } from "../set-up.js";
import { type Desktop, startDesktop } from "../../auth-server/desktop.js";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

async function sit(): Promise<Desktop> {
  const user = new BrowserUser(browser);
  const pages: Promise<unknown>[] = [];
  const desktop = await startDesktop((url) => pages.push(user.visit(url)));
  onTestFinished(async () => {
    await Promise.allSettled(pages);
    await user.close();
    await desktop.close();
  });
  return desktop;
}

/** A running `desk.ts`. */
class Desk {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor({ program }: Desktop, { server }: Servers, store: string, tools: readonly string[]) {
    const script = join(import.meta.dirname, "desk.ts");
    const loader = import.meta.resolve("tsx");
    this.#child = spawn(process.execPath, ["--import", loader, script, server.url.href, store, ...tools], {
      env: { ...process.env, BROWSER: program },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines: Interface = createInterface({ input: this.#child.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
    onTestFinished(() => void this.#child.kill());
  }

  async next(): Promise<string | undefined> {
    const result = await this.#lines.next();
    return result.done === true ? undefined : result.value;
  }

  /** Lets the program call the next tool. */
  proceed(): void {
    this.#child.stdin.write("\n");
  }

  async end(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const [code] = (await once(this.#child, "exit")) as [number | null];
    return code;
  }
}

test("a program that starts again does not ask the user again", async () => {
  const desktop = await sit();
  const servers = await startServers({ registration: true }, { tokens: "opaque" });
  const store = join(temporaryFolder("store"), "credentials.json");
  for (let times = 0; times < 2; times++) {
    const desk = new Desk(desktop, servers, store, ["read"]);
    expect(await desk.next()).toBe("connected");
    desk.proceed();
    expect(await desk.next()).toBe("read by ada");
    expect(await desk.end()).toBe(0);
  }
  expect(desktop.opened).toHaveLength(1);
  expect(servers.auth.events).toEqual(["register", "page", "granted authorization_code"]);
  expect(statSync(store).mode & 0o777).toBe(0o600);
});

test("the key of bound tokens survives a restart", async () => {
  const desktop = await sit();
  const servers = await startServers({ registration: true, dpopNonces: true }, { dpop: "nonces" });
  const store = join(temporaryFolder("store"), "credentials.json");
  for (let times = 0; times < 2; times++) {
    const desk = new Desk(desktop, servers, store, ["read"]);
    expect(await desk.next()).toBe("connected");
    desk.proceed();
    expect(await desk.next()).toBe("read by ada");
    await desk.end();
  }
  expect(desktop.opened).toHaveLength(1);
});

test("two processes that find an expired token refresh it once", async () => {
  const desktop = await sit();
  const servers = await startServers({ registration: true }, { tokens: "opaque" });
  const store = join(temporaryFolder("store"), "credentials.json");
  const first = new Desk(desktop, servers, store, ["read", "read"]);
  expect(await first.next()).toBe("connected");
  const second = new Desk(desktop, servers, store, ["read", "read"]);
  expect(await second.next()).toBe("connected");
  for (let times = 1; times <= 2; times++) {
    await servers.auth.expireAccessTokens();
    first.proceed();
    second.proceed();
    expect([await first.next(), await second.next()]).toEqual(["read by ada", "read by ada"]);
    expect(servers.auth.events.filter((event) => event === "granted refresh_token")).toHaveLength(times);
  }
  expect(servers.auth.events.filter((event) => event.startsWith("refused"))).toEqual([]);
  expect(desktop.opened).toHaveLength(1);
});

test("the command line logs in, uses the log-in, and logs out", async () => {
  const desktop = await sit();
  const { auth, server } = await startServers({ registration: true }, { tokens: "opaque" });
  const home = temporaryFolder("home");
  const cli = join(import.meta.dirname, "../../../dist/cli.js");
  const env = { ...process.env, BROWSER: desktop.program, XDG_CONFIG_HOME: home, APPDATA: home };
  const run = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [cli, ...args], { env, timeout: 60_000 })).stdout;
  expect(await run("login", server.url.href)).toContain("Logged in to protected 1.0.0");
  expect(desktop.opened).toHaveLength(1);
  await auth.expireAccessTokens();
  expect(await run("inspect", server.url.href)).toMatch(/\bread\b/);
  expect(auth.events.at(-1)).toBe("granted refresh_token");
  expect(await run("logout", server.url.href)).toContain("Logged out");
  expect(auth.events.at(-1)).toBe("revoked");
  expect(desktop.opened).toHaveLength(1);
});
