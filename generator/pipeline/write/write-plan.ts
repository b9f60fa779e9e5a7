import type { FileDifference } from "../../shared/files/file-difference.js";
import { contentHash, withLf } from "../../shared/files/content-hash.js";
import type { FolderEntry, FolderState } from "./folder-state.js";
import { printManifest, type Manifest } from "./manifest.js";
import { manifestName, parentsOf } from "../../shared/files/output-path.js";

/** The changes that a run would make. Plain data: nothing has been rejected or touched yet. */
export interface WritePlan {
  /** Sorted by path, including the manifest. */
  readonly differences: readonly FileDifference[];
  readonly unchanged: number;
  /** Folders that contained output and will contain none, innermost first. They are removed if they are empty. */
  readonly abandoned: readonly string[];
  /** Files in the way that are not ours. */
  readonly foreign: readonly string[];
  /** Files that are ours but were changed by hand. */
  readonly edited: readonly string[];
}

export type ManifestFacts = Omit<Manifest, "format" | "files">;

export function planWrite(
  state: FolderState,
  files: ReadonlyMap<string, string>,
  facts: ManifestFacts,
  keep: (path: string) => boolean,
): WritePlan {
  const known = knownHashes(state);
  if (!known && state.names.length)
    return { differences: [], unchanged: 0, abandoned: [], foreign: state.names, edited: [] };

  const paths = [...new Set([...files.keys(), ...(known?.keys() ?? [])])].sort();
  const verdicts = paths.map((path) => judge(path, state.entries, files.get(path), known, keep));
  const hashes = Object.fromEntries(verdicts.flatMap(({ path, hash }) => (hash === undefined ? [] : [[path, hash]])));
  verdicts.push(judgeManifest(state, printManifest({ format: 1, ...facts, files: hashes })));

  const differences = verdicts.flatMap(({ difference }) => difference ?? []);
  const inUse = new Set(Object.keys(hashes).flatMap(parentsOf));
  const abandoned = new Set([...(known?.keys() ?? [])].flatMap(parentsOf));
  return {
    differences: differences.sort((a, b) => (a.path < b.path ? -1 : 1)),
    unchanged: verdicts.filter(({ unchanged }) => unchanged).length,
    abandoned: [...abandoned].filter((folder) => !inUse.has(folder)).sort((a, b) => b.length - a.length),
    foreign: [...new Set(verdicts.flatMap(({ obstacle }) => obstacle ?? []))].sort(),
    edited: verdicts.filter(({ edited }) => edited).map(({ path }) => path),
  };
}

interface Verdict {
  readonly path: string;
  /** The hash for the next manifest. */
  readonly hash?: string;
  readonly difference?: FileDifference;
  readonly unchanged?: boolean;
  readonly edited?: boolean;
  readonly obstacle?: string;
}

function judge(
  path: string,
  entries: FolderState["entries"],
  content: string | undefined,
  known: Known | undefined,
  keep: (path: string) => boolean,
): Verdict {
  const entry = entries.get(path) ?? { kind: "absent" };
  const obstacle = obstacleAt(path, entry, known);
  if (obstacle !== undefined) return { path, obstacle };

  const before = entry.kind === "file" ? entry.text : undefined;
  const found = before === undefined ? undefined : contentHash(before);
  const ours = known?.get(path);
  const edited = found !== undefined && !ours?.has(found);

  if (content !== undefined) {
    if (edited && !ours) return { path, obstacle: path };
    const verdict = compare(path, before, withLf(content));
    return { ...verdict, hash: contentHash(content), edited: edited && !verdict.unchanged };
  }
  if (keep(path)) {
    const hash = edited || found === undefined ? [...(ours ?? [])][0] : found;
    const difference = { path, kind: "changed", ...(before !== undefined && { before }) } as const;
    return {
      path,
      edited,
      unchanged: found !== undefined && !edited,
      ...(hash !== undefined && { hash }),
      ...(edited && { difference }),
    };
  }
  return { path, edited, ...(before !== undefined && { difference: { path, kind: "removed", before } }) };
}

function judgeManifest({ entries, manifest }: FolderState, after: string): Verdict {
  const entry = entries.get(manifestName) ?? { kind: "absent" };
  if (entry.kind !== "absent" && !manifest) return { path: manifestName, obstacle: manifestName };
  return compare(manifestName, entry.kind === "file" ? entry.text : undefined, after);
}

function compare(path: string, before: string | undefined, after: string): Verdict {
  if (before === after) return { path, unchanged: true };
  return {
    path,
    difference: { path, after, ...(before === undefined ? { kind: "added" } : { kind: "changed", before }) },
  };
}

type Known = ReadonlyMap<string, ReadonlySet<string>>;

/** The hashes by path of content that is ours; undefined in a folder without generated files. */
function knownHashes({ manifest, leftovers }: FolderState): Known | undefined {
  const manifests = [manifest, ...leftovers.map((leftover) => leftover.manifest)].filter((one) => one !== undefined);
  if (!manifests.length) return undefined;
  const known = new Map<string, Set<string>>();
  for (const { files } of manifests) {
    for (const [path, hash] of Object.entries(files)) known.set(path, (known.get(path) ?? new Set()).add(hash));
  }
  return known;
}

/** A file or folder that is in the way of this path and is not ours. */
function obstacleAt(path: string, entry: FolderEntry, known: Known | undefined): string | undefined {
  if (entry.kind === "foreign") return entry.at;
  if (entry.kind !== "blocked") return undefined;
  const folder = `${path}/`;
  const ours =
    entry.by === path ? [...(known?.keys() ?? [])].some((other) => other.startsWith(folder)) : known?.has(entry.by);
  return ours ? undefined : entry.by;
}
