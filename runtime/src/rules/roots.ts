/** As much of a root as its boundary depends on. */
export interface RootFolder {
  readonly uri: string;
}

/** The host or drive of a file, and the folders down to it. */
interface Location {
  readonly volume: string;
  readonly segments: readonly string[];
}

/**
 * Tells whether a URI may be a root: a `file://` URI (MCP, roots: data types), without steps up, which would show another
 * folder than the one that is meant (security considerations).
 */
export function isRootUri(uri: string): boolean {
  return locateUri(uri) !== undefined && !/[/\\](\.|%2e){2}([/\\?#]|$)/i.test(uri);
}

/**
 * Tells whether a file lies in one of the client's roots, or is one (MCP, roots: security considerations). It compares
 * names only, by whole segments and with their case: symbolic links, short names and files that do not exist are not
 * seen. Roots are advice to keep to, not a sandbox.
 * @param uriOrPath a `file://` URI, or an absolute path of a POSIX or Windows host, in which percent signs are literal.
 *   What means different files on different hosts, such as an encoded slash, is outside of everything
 */
export function isInsideRoots(uriOrPath: string, roots: readonly RootFolder[]): boolean {
  const file = locateUri(uriOrPath) ?? locatePath(uriOrPath);
  if (!file) return false;
  return roots.some(({ uri }) => {
    const root = locateUri(uri);
    return root?.volume === file.volume && root.segments.every((segment, index) => segment === file.segments[index]);
  });
}

function locateUri(text: string): Location | undefined {
  if (!/^file:\/\//i.test(text)) return undefined;
  // What a step up leaves behind an empty segment depends on who resolves it.
  if (/(\.|%2e){2}/i.test(text) && /[/\\]{2}/.test(text.slice("file://".length))) return undefined;
  try {
    const { hostname, pathname } = new URL(text);
    // A separator that appears by decoding would be a folder to some and part of a name to others.
    const segments = pathname.split("/").map(decodeURIComponent);
    return segments.some((segment) => /[/\\]/.test(segment)) ? undefined : location(hostname, segments);
  } catch {
    return undefined;
  }
}

function locatePath(path: string): Location | undefined {
  if (/^[a-z]:[/\\]/i.test(path)) return location("", path.split(/[/\\]/));
  const [, host, share] = /^\\\\([^/\\]+)[/\\](.*)$/s.exec(path) ?? [];
  if (host !== undefined && share !== undefined) return location(host.toLowerCase(), share.split(/[/\\]/));
  // On POSIX a backslash is part of a name, on Windows it separates; so this one may be either file.
  return path.startsWith("/") && !path.includes("\\") ? location("", path.split("/")) : undefined;
}

function location(host: string, names: readonly string[]): Location | undefined {
  if (names.some((name) => name.includes("\0"))) return undefined;
  const [first = "", ...rest] = names.filter((name) => name !== "");
  const drive = /^[a-z]:$/i.test(first) ? first.toUpperCase() : "";
  const segments: string[] = [];
  for (const name of drive ? rest : [first, ...rest]) {
    if (name === "..") segments.pop();
    else if (name !== "" && name !== ".") segments.push(name);
  }
  return { volume: `${host}/${drive}`, segments };
}
