/** A JSON Pointer as a URI fragment (RFC 6901). */
export function pointerOf(segments: readonly string[]): string {
  return `#${segments.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

/** The inverse. Malformed escapes stay unchanged. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .slice(2)
    .split("/")
    .map((segment) => decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a value is an object with such an own member. */
export function hasOwn(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
