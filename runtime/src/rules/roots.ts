/** The member of a root that defines its boundary. */
export interface RootFolder {
  readonly uri: string;
}

/** The host or drive of a file, and the folders that lead to it. */
interface Location {
  readonly volume: string;
  readonly segments: readonly string[];
}

/**
 * Whether a URI may be a root: a `file://` URI (MCP, roots: data types) without `..` segments, which would lead to a folder
 * other than the apparent one (security considerations).
 */
export function isRootUri(uri: string): boolean {
  return locateUri(uri) !== undefined && !/[/\\](\.|%2e){2}([/\\?#]|$)/i.test(uri);
}

/**
 * Whether a file is one of the client's roots or lies in one (MCP, roots: security considerations). Only names are compared,
 * by whole segments and case-sensitively: symbolic links, short names and missing files are not detected. Roots are
 * guidance, not a sandbox. Before you open a file, follow its links with `resolveInside` of `@mcpwright/runtime/node`.
 * @param uriOrPath a `file://` URI, or an absolute path of a POSIX or Windows host, in which percent signs are literal. A
 *   value that means different files on different hosts, such as an encoded slash, is outside of all roots
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
  // Implementations resolve `..` after an empty segment differently.
  if (/(\.|%2e){2}/i.test(text) && /[/\\]{2}/.test(text.slice("file://".length))) return undefined;
  try {
    const { hostname, pathname } = new URL(text);
    // Some hosts treat a decoded separator as a folder, others as part of a name.
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
  // A backslash is part of a name on POSIX, and a separator on Windows, so this path is ambiguous.
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
