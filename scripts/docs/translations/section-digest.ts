import { createHash } from "node:crypto";

/** A digest of the text of a section. Lines that are joined in another way, and the widths of tables, do not change it. */
export function sectionDigest(text: string): string {
  const parts = text.trim().split(/^([ \t]*(?:```|~~~)[^]*?^[ \t]*(?:```|~~~)[ \t]*)$/m);
  const normal = parts.map((part, index) => (index % 2 === 1 ? part : withoutLayout(part))).join("\n");
  return createHash("sha256").update(normal).digest("hex").slice(0, 12);
}

function withoutLayout(text: string): string {
  return text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
}
