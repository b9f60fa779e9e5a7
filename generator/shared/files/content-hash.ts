import { createHash } from "node:crypto";

/** Converts CRLF to LF: line ends that a checkout has converted do not count as a change. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function contentHash(text: string): string {
  return createHash("sha256").update(withLf(text)).digest("hex");
}
