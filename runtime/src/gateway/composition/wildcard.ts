/** Whether a string has a `*`, and is therefore a pattern. */
export function isWildcard(pattern: string): boolean {
  return pattern.includes("*");
}

/**
 * Compiles a string in which each `*` matches any characters, also none. The match looks for each text between two `*` once,
 * from left to right, and never goes back.
 */
export function wildcard(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return (name) => name === first;
  const last = parts.at(-1) ?? "";
  const between = parts.slice(1, -1).filter((part) => part !== "");
  return (name) => {
    const end = name.length - last.length;
    let at = first.length;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    for (const part of between) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}
