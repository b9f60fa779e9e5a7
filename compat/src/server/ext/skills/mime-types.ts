const types: Readonly<Record<string, readonly string[]>> = {
  "application/json": ["json"],
  "application/pdf": ["pdf"],
  "application/x-sh": ["bash", "sh"],
  "application/xml": ["xml"],
  "application/yaml": ["yaml", "yml"],
  "image/gif": ["gif"],
  "image/jpeg": ["jpeg", "jpg"],
  "image/png": ["png"],
  "image/svg+xml": ["svg"],
  "image/webp": ["webp"],
  "text/css": ["css"],
  "text/csv": ["csv"],
  "text/html": ["html"],
  "text/javascript": ["js", "mjs"],
  "text/markdown": ["markdown", "md"],
  "text/plain": ["txt"],
  "text/typescript": ["ts"],
  "text/x-python": ["py"],
};

const byEnding = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries(types).flatMap(([type, endings]) => endings.map((ending) => [ending, type] as const)),
);

/** The MIME type of a file, by the end of its name. */
export function mimeTypeOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
  return byEnding.get(ending) ?? "application/octet-stream";
}
