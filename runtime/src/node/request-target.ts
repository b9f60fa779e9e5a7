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
 * The host that a request is for. An absolute target names it; then `Host` does not count (RFC 9112, 3.2.2), and over HTTP/2
 * `:authority` names it. Several `Host` lines are joined with commas, because Node keeps only the first.
 */
export function hostOf(request: TargetedRequest): string | undefined {
  const { headers, rawHeaders } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) return Array.from({ length: hosts }, () => headers.host).join(", ");
  const target = targetOf(request);
  const named = target.startsWith("/") ? undefined : absolute.exec(target)?.[1];
  return named ?? (headers[":authority"] as string | undefined) ?? headers.host;
}
