import { parseUrl } from "../../jsonrpc/parse-url.js";

const manifestSuffix = "/SKILL.md";

/**
 * Returns the directory of a skill, normalized and without a slash at the end. Its scheme does not matter (SEP-2640, resource mapping).
 * @param uri the URI of the skill's `SKILL.md`
 * @returns undefined for a URI of another form than `scheme://path/SKILL.md`
 */
export function skillDirectory(uri: string): string | undefined {
  const href = plainHref(uri);
  if (href?.endsWith(manifestSuffix) !== true) return undefined;
  const directory = href.slice(0, -manifestSuffix.length);
  return directory.endsWith("/") ? undefined : directory;
}

/** Returns the last part of a directory's URI: the first part of the path is where other URIs have the host. */
export function directoryName(directory: string): string {
  return decode(directory.slice(directory.lastIndexOf("/") + 1));
}

/**
 * Returns the path of a file in a directory, decoded, so that all spellings of a URI have the same path.
 * @param directory normalized, without a slash at the end
 * @returns undefined if the URI is not below the directory
 */
export function pathIn(directory: string, uri: string): string | undefined {
  const href = plainHref(uri);
  if (href?.startsWith(`${directory}/`) !== true) return undefined;
  const names = href
    .slice(directory.length + 1)
    .split("/")
    .map(decode);
  return names.every(isFileName) ? names.join("/") : undefined;
}

/**
 * Resolves a reference in a skill, such as the target of a link, to the path of a file in the skill's directory. The fragment does not
 * count (SEP-2640, reading).
 * @param reference a path relative to the directory, or a URI
 * @returns undefined for a reference that leads out of the directory, or to no file
 */
export function resolveReference(directory: string, reference: string): string | undefined {
  const [target = ""] = reference.split("#", 1);
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return pathIn(directory, target);
  const names: string[] = [];
  for (const name of target.split("/").map(decode)) {
    if (name === ".") continue;
    if (name === ".." ? names.pop() === undefined : !isFileName(name)) return undefined;
    if (name !== "..") names.push(name);
  }
  return target.includes("?") || names.length === 0 ? undefined : names.join("/");
}

/** Returns the URI of a file in a directory. */
export function uriIn(directory: string, path: string): string {
  return `${directory}/${encodePath(path)}`;
}

/** Encodes the names of a path for a URI. @throws URIError for names that are not Unicode text */
export function encodePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}

/** Whether a URI is that of a direct child of a directory. Directories may end with a slash. */
export function isChildOf(directory: string, uri: string): boolean {
  const [parent, child] = [directory, uri].map((one) => plainHref(one.replace(/\/$/, "")));
  if (parent === undefined || child === undefined) return false;
  const end = child.lastIndexOf("/");
  return isFileName(decode(child.slice(end + 1))) && decode(child.slice(0, end)) === decode(parent.replace(/\/$/, ""));
}

/** Normalizes a hierarchical URI. Returns undefined for one with a query or a fragment, or with segments that would be resolved away. */
function plainHref(uri: string): string | undefined {
  if (/[?#]/.test(uri) || !/^[a-z][a-z\d+.-]*:\/\//i.test(uri)) return undefined;
  return uri.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) ? undefined : parseUrl(uri)?.href;
}

/** Whether a name can be one part of a path: no other separators, also those of Windows, and nothing that cannot be encoded. */
function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0\p{Cs}]/u.test(name);
}

/** Decodes a segment of a URI; one that is not UTF-8 stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
