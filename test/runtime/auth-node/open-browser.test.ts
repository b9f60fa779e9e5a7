import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBrowser, type BrowserHost } from "../../../runtime/src/auth-node.js";
import { browserUrl, openersOf } from "../../../runtime/src/auth-node/open-browser.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

describe("the URL", () => {
  test.each([
    ["javascript:alert(1)"],
    ["file:///etc/passwd"],
    ["data:text/html,x"],
    ["http://as.example/authorize"],
    ["http://127.0.0.1.evil.example/"],
    ["http://169.254.169.254/"],
    ["https://user:password@as.example/"],
    ["https://as.example/\nhttps://other.example"],
    ["https://as.example/\u0000"],
    ["--help"],
    ["calc.exe"],
    [""],
  ])("%j is not opened", async (url) => {
    await expect(openBrowser(url, { platform: "linux", env: {} })).rejects.toMatchObject({ reason: "insecure-url" });
  });

  test.each([
    [
      "https://as.example/authorize?client_id=a&scope=b+c%20d",
      "https://as.example/authorize?client_id=a&scope=b+c%20d",
    ],
    ["http://127.0.0.1:3000/a", "http://127.0.0.1:3000/a"],
    ["http://localhost/a", "http://localhost/a"],
    ["http://[::1]:3000/a", "http://[::1]:3000/a"],
    [
      "https://as.example/$(touch x)/`id`?a='b'|c^d&e=\"f\"!",
      "https://as.example/%24%28touch%20x%29/%60id%60?a=%27b%27%7Cc%5Ed&e=%22f%22%21",
    ],
    ["https://as.example/?a=%PATH%;b{c}<d>\\", "https://as.example/?a=%PATH%;b%7Bc%7D%3Cd%3E%5C"],
  ])("%s is passed on without characters of shells", (url, expected) => expect(browserUrl(url)).toBe(expected));
});

describe.skipIf(process.platform === "win32")("the opener", () => {
  const page = "https://as.example/authorize?a=$(id)&b=c";
  const expected = "https://as.example/authorize?a=%24%28id%29&b=c\n";

  /** A folder with programs that write their arguments and the variable BROWSER to a file. */
  function programs(...names: readonly string[]): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
    const folder = temporaryFolder("browser");
    for (const name of names) program(folder, name, 0);
    return { folder, env: { PATH: `${folder}:/bin:/usr/bin`, DISPLAY: ":0" } };
  }

  function program(folder: string, name: string, code: number): void {
    const path = join(folder, name);
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.log'\nprintf '%s' "$BROWSER" >> '${path}.log'\nexit ${code}\n`,
    );
    chmodSync(path, 0o755);
  }

  const logOf = (folder: string, name: string): string => readFileSync(join(folder, `${name}.log`), "utf8");

  test.each<[string, string, BrowserHost]>([
    ["xdg-open on systems with a display", "xdg-open", { platform: "linux", isWsl: false }],
    ["wslview below Windows", "wslview", { platform: "linux", isWsl: true }],
    ["xdg-open also on FreeBSD", "xdg-open", { platform: "freebsd", isWsl: false }],
  ])("is %s", async (_, name, host) => {
    const { folder, env } = programs(name);
    expect(await openBrowser(page, { ...host, env: { ...env, BROWSER: "sh -c '%s'" } })).toBe(true);
    expect(logOf(folder, name)).toBe(expected);
  });

  test("is the program in BROWSER, by name or by path", async () => {
    const { folder, env } = programs("my-browser", "xdg-open");
    for (const BROWSER of ["my-browser", join(folder, "my-browser")]) {
      expect(await openBrowser(page, { platform: "linux", isWsl: false, env: { ...env, BROWSER } })).toBe(true);
      expect(logOf(folder, "my-browser")).toBe(expected);
    }
    expect(() => logOf(folder, "xdg-open")).toThrow("ENOENT");
  });

  test("is the next one when one fails or does not exist", async () => {
    const { folder, env } = programs("xdg-open");
    program(folder, "broken", 3);
    for (const BROWSER of ["broken", "missing", "/missing/browser"])
      expect(await openBrowser(page, { platform: "linux", isWsl: false, env: { ...env, BROWSER } })).toBe(true);
    program(folder, "xdg-open", 4);
    expect(await openBrowser(page, { platform: "linux", isWsl: false, env })).toBe(false);
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ["without a display", { DISPLAY: "", WAYLAND_DISPLAY: undefined }],
    ["without programs", { PATH: "/nowhere" }],
    ["when BROWSER is none", { BROWSER: "none" }],
  ])("does not exist %s", async (_, env) => {
    const made = programs("xdg-open");
    expect(await openBrowser(page, { platform: "linux", isWsl: false, env: { ...made.env, ...env } })).toBe(false);
  });

  test.each<[string, BrowserHost, readonly (readonly string[])[]]>([
    ["macOS", { platform: "darwin", env: {} }, [["/usr/bin/open"]]],
    [
      "Windows",
      { platform: "win32", env: { SystemRoot: "D:\\Windows", BROWSER: "C:\\missing\\firefox.exe" } },
      [["D:\\Windows\\System32\\rundll32.exe", "url.dll,FileProtocolHandler"]],
    ],
    [
      "Linux below Windows",
      { platform: "linux", isWsl: true, env: {} },
      [["wslview"], ["/mnt/c/Windows/System32/rundll32.exe", "url.dll,FileProtocolHandler"]],
    ],
    ["a remote session", { platform: "linux", isWsl: false, env: { BROWSER: "code-browser" } }, [["code-browser"]]],
  ])("gets the URL as one argument on %s", (_, host, openers) => expect(openersOf(host)).toEqual(openers));
});
