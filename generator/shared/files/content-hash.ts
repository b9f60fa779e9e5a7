import { createHash } from "node:crypto";

/** A checkout may have turned line ends into CRLF; that is no difference. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function contentHash(text: string): string {
  return createHash("sha256").update(withLf(text)).digest("hex");
}
