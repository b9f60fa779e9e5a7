import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { AuthorizationError } from "../auth.js";
import { parseUrl } from "../jsonrpc/parse-url.js";

/** How `openBrowser` sees the machine; tests replace it. */
export interface BrowserHost {
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform;
  /** Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether Linux runs below Windows. Default: read from `/proc/version`. */
  readonly isWsl?: boolean;
}

/** A program that opens a URL, with the arguments before the URL. */
type Opener = readonly [program: string, ...before: string[]];

/** After this time, an opener that still runs counts as successful: it has become the browser. */
const settledMs = 3_000;

/**
 * Opens a page in the user's browser. No shell sees the URL: it is one argument of `open` (macOS), `rundll32` (Windows and WSL)
 * or `xdg-open` (other systems with a display).
 *
 * The variable `BROWSER` is used when it is the name or path of one program. Values with arguments, `%s` or several programs are
 * ignored, because they need a shell; `none` stands for no browser.
 * @returns whether an opener accepted the URL; false also when there is none, as in a remote session: print the URL then
 * @throws AuthorizationError `insecure-url` when the URL is not https, or http on loopback, or contains credentials
 */
export async function openBrowser(url: URL | string, host: BrowserHost = {}): Promise<boolean> {
  const page = browserUrl(url);
  const { env = process.env } = host;
  // xdg-open would splice the URL into the command of this variable.
  const { BROWSER: _, ...rest } = env;
  for (const [program, ...before] of openersOf(host))
    if (await start(program, [...before, page], { env: rest })) return true;
  return false;
}

/** Checks the URL, and escapes the characters that shells treat specially: the opener may be a shell script itself. */
export function browserUrl(url: URL | string): string {
  const text = String(url);
  // The parser of URLs removes some control characters.
  // eslint-disable-next-line no-control-regex -- matches control characters
  const parsed = /[\u0000-\u001f\u007f]/.test(text) ? undefined : parseUrl(text);
  const isSecure = parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isLoopback(parsed.hostname));
  if (!parsed || !isSecure || parsed.username !== "" || parsed.password !== "")
    throw new AuthorizationError(
      "insecure-url",
      `the page ${parsed ? `${parsed.protocol}//${parsed.host}` : JSON.stringify(text.slice(0, 40))} is not opened: it must be an https URL, or http on this machine, without a user name`,
    );
  return parsed.href.replace(/[^\w\-.~:/?#[\]@&=+,;%*]/g, (found) => encodeURIComponent(found).replace(/[!'()]/g, hex));
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The programs to try, in this order. */
export function openersOf({ platform = process.platform, env = process.env, isWsl }: BrowserHost): readonly Opener[] {
  const { BROWSER: chosen = "" } = env;
  if (chosen === "none") return [];
  const own: readonly Opener[] = isProgram(chosen) ? [[chosen]] : [];
  if (platform === "darwin") return [...own, ["/usr/bin/open"]];
  if (platform === "win32") return [...own, rundll(env["SystemRoot"] ?? "C:\\Windows")];
  if (isWsl ?? isBelowWindows()) return [...own, ["wslview"], rundll("/mnt/c/Windows", "/")];
  const hasDisplay = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some(
    (display) => display !== undefined && display !== "",
  );
  return hasDisplay ? [...own, ["xdg-open"]] : own;
}

/** A path may contain spaces; a command with arguments does not exist as a file. */
function isProgram(value: string): boolean {
  return /[/\\]/.test(value) ? existsSync(value) : /^[\w.+][\w.+-]*$/.test(value);
}

function rundll(windows: string, separator = "\\"): Opener {
  return [[windows, "System32", "rundll32.exe"].join(separator), "url.dll,FileProtocolHandler"];
}

function isBelowWindows(): boolean {
  if (process.platform !== "linux" || !existsSync("/proc/version")) return false;
  return /microsoft/i.test(readFileSync("/proc/version", "utf8"));
}

/** Starts a program that outlives this process. @returns false when it does not exist, or fails at once */
async function start(program: string, args: readonly string[], options: SpawnOptions): Promise<boolean> {
  const end = new AbortController();
  try {
    const child = spawn(program, args, {
      ...options,
      detached: true,
      stdio: "ignore",
      shell: false,
      windowsHide: true,
    });
    child.unref();
    const timer = setTimeout(() => end.abort(), settledMs);
    try {
      const [code] = (await once(child, "exit", { signal: end.signal })) as [number | null];
      return code === 0;
    } finally {
      clearTimeout(timer);
    }
  } catch {
    // Without the program, `error` is emitted, and the next opener is tried.
    return end.signal.aborted;
  }
}
