import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { withLf } from "../../shared/files/content-hash.js";
import { parseManifest, type Manifest } from "./manifest.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { manifestName, ownPrefix } from "../../shared/files/output-path.js";
import { statsAt } from "../../shared/files/stats-at.js";

/** What the disk has at a path of the output. */
export type FolderEntry =
  | { readonly kind: "absent" }
  /** With LF line ends. */
  | { readonly kind: "file"; readonly text: string }
  /** A file where a folder is needed, or a folder where a file is needed. It is replaced if it is ours. */
  | { readonly kind: "blocked"; readonly by: string }
  /** A link, or something that is neither file nor folder: never ours, never followed. */
  | { readonly kind: "foreign"; readonly at: string };

/** The state of the disk that a plan is made from. */
export interface FolderState {
  /** Names directly in the folder that may belong to the user. */
  readonly names: readonly string[];
  readonly manifest?: Manifest;
  /**
   * Left by runs that were killed, or in use by a run in progress: locks, and staging folders with the next manifest.
   */
  readonly leftovers: readonly { readonly name: string; readonly manifest?: Manifest }[];
  /** By path: the files to write, those of all manifests, and the manifest. */
  readonly entries: ReadonlyMap<string, FolderEntry>;
}

export function readFolderState(folder: string, paths: Iterable<string>, ignore: readonly string[]): FolderState {
  try {
    if (!isFolder(folder)) return { names: [], leftovers: [], entries: new Map() };
    const listing = readdirSync(folder).sort();
    const names = listing.filter((name) => !ignore.includes(name) && !name.startsWith(ownPrefix));
    // A commit moves the manifest from the staging folder to its place: read in this order, it is found in one of the
    // two.
    const leftovers = listing
      .filter((name) => name.startsWith(ownPrefix))
      .map((name) => ({ name, ...manifestAt(folder, `${name}/${manifestName}`) }));
    const own = manifestAt(folder, manifestName);
    const known = [own, ...leftovers].flatMap(({ manifest }: { manifest?: Manifest }) =>
      Object.keys(manifest?.files ?? {}),
    );
    const entries = new Map([manifestName, ...paths, ...known].map((path) => [path, readEntry(folder, path)] as const));
    return { names, ...own, leftovers, entries };
  } catch (error) {
    throw notWritable(folder, error);
  }
}

function isFolder(folder: string): boolean {
  const stats = statsAt(folder);
  if (stats && !stats.isDirectory()) fail("output-is-file", { path: folder });
  return stats !== undefined;
}

function manifestAt(folder: string, path: string): { manifest?: Manifest } {
  const entry = readEntry(folder, path);
  const manifest = entry.kind === "file" ? parseManifest(entry.text, join(folder, path)) : undefined;
  return manifest ? { manifest } : {};
}

function readEntry(folder: string, path: string): FolderEntry {
  const segments = path.split("/");
  for (const index of segments.keys()) {
    const at = segments.slice(0, index + 1).join("/");
    const stats = statsOf(join(folder, at));
    if (!stats) return { kind: "absent" };
    if (!stats.isFile() && !stats.isDirectory()) return { kind: "foreign", at };
    if (stats.isFile() !== (at === path)) return { kind: "blocked", by: at };
  }
  return { kind: "file", text: withLf(readFileSync(join(folder, path), "utf8")) };
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
