import type { Skill } from "../../../core/ext/skills.js";
import type { ServerContext } from "../../../shared/contexts.js";
import type { Resource } from "../../../types/index.js";
import type { CacheHint } from "../../server-options.js";

/** A problem with a skill. `path` is a file, a folder or a URI. */
export interface SkillWarning {
  path: string;
  message: string;
}

/** The content of a file. Bytes are sent as base64. */
export type SkillReadResult = { text: string; mimeType?: string } | { bytes: Uint8Array; mimeType?: string };

/** Skills of your own, such as generated ones. Cursors come from clients: check them. */
export interface SkillSource {
  /** Returns a page of the skills to list. The list may be empty or partial. */
  list(params: { cursor?: string }, ctx: ServerContext): Promise<{ skills: Skill[]; nextCursor?: string }>;
  /** Returns the skill whose `SKILL.md` has this URI, whether it is listed or not; undefined if there is none. */
  get(uri: string, ctx: ServerContext): Promise<Skill | undefined>;
  /** Returns the content of a file; undefined if there is none. */
  read(uri: string, ctx: ServerContext): Promise<SkillReadResult | undefined>;
  /** Returns a page of the children of a directory; undefined if there is none. With it, servers declare `directoryRead`. */
  readDirectory?(
    uri: string,
    params: { cursor?: string },
    ctx: ServerContext,
  ): Promise<{ resources: Resource[]; nextCursor?: string } | undefined>;
  /** Returns what `resources/list` contains. Default: nothing. */
  listResources?(ctx: ServerContext): Promise<Resource[]>;
}

export interface SkillsOptions {
  /** Cache hints of entries, directories and files, in revisions that have them. Default: `ttlMs` 0, `cacheScope` private. */
  cacheHint?: CacheHint;
  /** Whether problems are errors, in place of warnings. Default: `false`. */
  strict?: boolean;
  /** Called with warnings. Default: `console.warn`. */
  onWarning?: (warning: SkillWarning) => void;
}

export interface SkillSourceOptions extends SkillsOptions {
  source: SkillSource;
  /** The start of all URIs of the source. Default: `skill://`. */
  baseUri?: string;
}

/** A child of a folder. `unsupported` are links and special files: a skill that contains one is left out. */
export interface SkillFileEntry {
  name: string;
  kind: "file" | "directory" | "unsupported";
}

/** A storage of skills. Paths are relative and have `/` between their names; the root is the empty string. */
export interface SkillFiles {
  /** Returns the children of a folder. */
  list(dir: string): Promise<SkillFileEntry[]>;
  read(path: string): Promise<Uint8Array>;
}

export interface SkillCatalogOptions extends SkillsOptions {
  /** The first part of all paths: with `acme`, the URIs begin with `skill://acme/`. Default: none. */
  prefix?: string;
  /** The most entries on a page: a positive integer or `Infinity`. Default: `100`. */
  pageSize?: number;
  /** A skill with more files or bytes is reported, but served. Default: `SKILL_LIMITS`. */
  limits?: { files?: number; bytes?: number };
}

/** What a reload has changed: the URIs of `SKILL.md` files. */
export interface SkillCatalogChanges {
  added: string[];
  removed: string[];
  changed: string[];
  /** Whether a skill has come or gone, or has another name or description. */
  listChanged: boolean;
}

export type OnWarning = (warning: SkillWarning) => void;

/** Where warnings go without the option `onWarning`. */
export function warnOnConsole({ path, message }: SkillWarning): void {
  // eslint-disable-next-line no-console -- the default of the official SDK
  console.warn(`skills: ${path}: ${message}`);
}
