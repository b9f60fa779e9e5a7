import type { IncomingMessage } from "node:http";

/** A request, perhaps of a framework that serves a sub-path. */
type TargetedRequest = Pick<IncomingMessage, "headers" | "rawHeaders" | "url"> & { readonly originalUrl?: string };

const absolute = /^https?:\/\/([^/?#]*)/i;

/** The target as the client sent it: a framework that serves a sub-path shortens `url`. */
export function targetOf({ originalUrl, url }: TargetedRequest): string {
  return originalUrl ?? url ?? "/";
}

/** The path and query of a request target, which may be an absolute URL, as for a proxy (RFC 9112, 3.2.2). */
export function pathAndQuery(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(absolute, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * All lines of a header that may occur once, joined with commas: Node keeps only the first.
 * @param name in lower case
 */
export function linesOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): string | undefined {
  let lines: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const one = rawHeaders[at];
    if (one?.length !== name.length || one.toLowerCase() !== name) continue;
    const line = rawHeaders[at + 1] ?? "";
    lines = lines === undefined ? line : `${lines}, ${line}`;
  }
  return lines;
}

/** Returns the value of a header by its name in lower case, for the checks that all hosts share. */
export function headersOf(request: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = name === "host" ? hostOf(request) : request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

/**
 * The host that a request is for. An absolute target names it; then `Host` does not count (RFC 9112, 3.2.2), and over HTTP/2
 * `:authority` names it. Several `Host` lines are joined with commas, because Node keeps only the first.
 */
export function hostOf(request: TargetedRequest): string | undefined {
  const { headers } = request;
  const lines = linesOf(request, "host");
  if (lines?.includes(",")) return lines;
  const target = targetOf(request);
  const named = target.startsWith("/") ? undefined : absolute.exec(target)?.[1];
  return named ?? (headers[":authority"] as string | undefined) ?? headers.host;
}
