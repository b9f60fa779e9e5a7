import { parseUrl } from "../jsonrpc/parse-url.js";
import { decodeLabel } from "./punycode.js";

/** A reason for a user to look twice at a URL. */
export interface UrlWarning {
  /**
   * - `punycode`: the host has letters outside of ASCII, which the URL itself does not show.
   * - `look-alike`: in addition, it looks like another host.
   * - `mixed-scripts`: a word of the host mixes alphabets whose letters look alike.
   * - `ip-address`: the host is a number that belongs to no name.
   * - `unencrypted`: others can read and change the page on its way.
   */
  readonly kind: "punycode" | "look-alike" | "mixed-scripts" | "ip-address" | "unencrypted";
  /** A sentence for the user. */
  readonly message: string;
}

/** The parts of a URL that a user has to see before the page is opened. */
export interface UrlReview {
  /** The URL as a browser would open it. */
  readonly href: string;
  /** The host and its port, in ASCII. Show it apart from the rest of the URL. Empty if the URL is not valid. */
  readonly host: string;
  /** The host in the letters of its language; the same as `host` for most. */
  readonly readableHost: string;
  readonly warnings: readonly UrlWarning[];
  /** Why the page must not be opened; undefined if the user may decide. */
  readonly problem: string | undefined;
}

/**
 * Analyses a URL that a server asks the user to visit (MCP, elicitation: safe URL handling). Fetches nothing.
 * @example
 * ```ts
 * const { host, warnings, problem } = reviewUrl(params.url);
 * if (problem !== undefined) return { action: "decline" };
 * ```
 */
export function reviewUrl(text: string): UrlReview {
  const url = parseUrl(text);
  if (!url) return { href: text, host: "", readableHost: "", warnings: [], problem: "it is not a URL" };
  const { href, protocol, host, hostname, username, password } = url;
  const readableHost = host.split(".").map(decodeLabel).join(".");
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const warnings = isLocal ? [] : warningsFor(hostname, protocol);
  return { href, host, readableHost, warnings, problem: problemOf(protocol, username + password) };
}

function problemOf(protocol: string, credentials: string): string | undefined {
  if (!/^https?:$/.test(protocol)) return `it begins with ${protocol}, not with https:`;
  // What stands before "@" is often meant to be mistaken for the host (RFC 3986, 7.6).
  return credentials === "" ? undefined : "it has a user name or password before the host";
}

function warningsFor(hostname: string, protocol: string): readonly UrlWarning[] {
  const warnings: UrlWarning[] = [];
  const warn = (kind: UrlWarning["kind"], message: string): void => void warnings.push({ kind, message });
  const labels = hostname.split(".").map(decodeLabel);
  const readable = labels.join(".");
  const twin = Array.from(readable, (char) => lookAlike(char) ?? char).join("");
  if (readable !== hostname) warn("punycode", `The host ${hostname} stands for ${readable}.`);
  if (twin !== readable && !hasOtherLetters(twin))
    warn("look-alike", `${readable} looks like ${twin}, but is another host.`);
  const mixed = labels.find((label) => alphabets.filter((name) => usesAlphabet(label, name)).length > 1);
  if (mixed !== undefined) warn("mixed-scripts", `${mixed} mixes letters of several alphabets.`);
  if (/^(\d+(\.\d+){3}|\[.*\])$/.test(hostname)) warn("ip-address", "The host is an IP address, not a name.");
  if (protocol === "http:") warn("unencrypted", "The connection is not encrypted.");
  return warnings;
}

function hasOtherLetters(text: string): boolean {
  return /[^\p{ASCII}]/u.test(text);
}

function lookAlike(char: string): string | undefined {
  for (const [others, latin] of lookAlikes) {
    const at = others.indexOf(char);
    if (at >= 0) return latin[at];
  }
  return undefined;
}

function usesAlphabet(label: string, name: string): boolean {
  return new RegExp(`\\p{Script=${name}}`, "u").test(label);
}

// Bundlers drop the tables from programs that do not use them only if they contain nothing that runs.

/** Alphabets with letters that look alike. */
const alphabets: readonly string[] = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee"];

/** Letters that many fonts draw like Latin ones: Cyrillic, Greek, Armenian, and Latin letters of other languages. */
const lookAlikes: readonly (readonly [others: string, latin: string])[] = [
  ["аеорсухіјѕһԁԛԝӏьк", "aeopcyxijshdqwlbk"],
  ["αορνυικτωγ", "aopvuiktwy"],
  ["օոսցհզ", "onughq"],
  ["ıɑɡɩʟ", "iagil"],
];
