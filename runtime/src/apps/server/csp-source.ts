import { parseUrl } from "../../jsonrpc/parse-url.js";

/**
 * Why an entry of a list of domains is not an origin that hosts can put into a Content Security Policy; undefined if it is one. Entries are
 * origins; `*.` can stand for any subdomain (SEP-1865, UI resource format).
 * @param connects whether the list is that of network requests, which can be WebSockets
 */
export function whyNoSource(entry: unknown, connects: boolean): string | undefined {
  if (typeof entry !== "string") return `must be a string, not ${entry === null ? "null" : typeof entry}`;
  if (/[\s;,'"]/.test(entry)) return "contains a space, a quote, a comma or a semicolon; write one origin per entry";
  const schemes = connects ? ["https", "http", "wss", "ws"] : ["https", "http"];
  const [, scheme = "", wildcard = "", rest = ""] = /^([a-z][a-z\d+.-]*):\/\/(\*\.)?(.*)$/i.exec(entry) ?? [];
  if (!scheme) return `has no scheme; write an origin such as "https://api.example.com"`;
  if (!schemes.includes(scheme.toLowerCase()))
    return `has the scheme ${scheme}; use ${schemes.slice(0, -1).join(", ")} or ${schemes.at(-1) ?? ""}`;
  const url = rest.includes("*") ? undefined : parseUrl(`${scheme}://${rest}`);
  if (!url) return `has no valid host; "*" can only be the first label, as in "https://*.example.com"`;
  const origin = `${url.protocol}//${wildcard}${url.host}`;
  const given = entry.toLowerCase();
  // `URL` leaves the port out if it is that of the scheme.
  const isOrigin = given === origin || (url.port === "" && given.replace(/:\d+$/, "") === origin);
  return isOrigin ? undefined : `is not an origin; write "${origin}"`;
}
