import { posix } from "node:path";

/** Whether a link leads out of the repository. */
export function isExternal(target: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target);
}

/** Resolves a relative link of a file: the path from the root of the repository, and the anchor. */
export function resolveTarget(file: string, target: string): { readonly path: string; readonly anchor?: string } {
  const hash = target.indexOf("#");
  const [path, anchor] = hash === -1 ? [target, undefined] : [target.slice(0, hash), target.slice(hash + 1)];
  const joined = path === "" ? file : posix.join(posix.dirname(file), decoded(path));
  return { path: joined.replace(/\/$/, ""), ...(anchor === undefined ? {} : { anchor: decoded(anchor) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is a part of the name.
    return text;
  }
}
