// The facts of the Skills extension (io.modelcontextprotocol/skills, SEP-2640), in our own words. The SEP has no schema file. It is
// a draft that has changed: `size`, `"dynamic"` and the cache members of `skills/get` are in the conformance suite and in the official
// SDK, but not in the text of August 2026.
import type { CacheableResult, Cursor, Resource } from "../../../2026-07-28/schema.js";

/** What a server declares for the extension. */
export interface SkillsCapability {
  /**
   * Whether the server has `resources/directory/read`. Clients must not send it to other servers.
   * @default false
   */
  directoryRead?: boolean;
}

/** The YAML at the beginning of a skill's `SKILL.md`, as JSON: every field that its author wrote. */
export interface SkillFrontmatter {
  /** The name of the skill, which is also the name of its directory: at most 64 lower-case letters, digits and single hyphens. */
  name: string;

  /** What the skill does, and when to use it. */
  description: string;

  [key: string]: unknown;
}

/** One file of a skill, with what a client needs to verify it. */
export interface SkillResourceEntry {
  /** The URI with which `resources/read` returns the file. */
  uri: string;

  /**
   * The SHA-256 of the file's bytes, in lower-case hexadecimal digits after `sha256:`.
   * @pattern ^sha256:[0-9a-f]{64}$
   */
  digest: string;

  /**
   * How many bytes the file has.
   * @format int
   * @minimum 0
   */
  size: number;
}

/** A skill: a directory of instructions and other files for a model. */
export interface Skill {
  /** The URI of the skill's `SKILL.md`. It identifies the skill; names need not be unique. */
  uri: string;

  frontmatter: SkillFrontmatter;

  /** Every file of the skill, each once. `dynamic` if its content is generated, so that no digests can be published. */
  resources: SkillResourceEntry[] | "dynamic";

  _meta?: { [key: string]: unknown };
}

/** Requests one page of the skills that a server wants to list. */
export interface ListSkillsRequest {
  method: "skills/list";
  params?: {
    /** The `nextCursor` of the page before; absent for the first page. */
    cursor?: Cursor;
  };
}

/** One page of skills. The list may be empty or partial: a server can have skills that it does not list. */
export interface ListSkillsResult {
  skills: Skill[];

  /** Pass it as `cursor` to request the next page; absent on the last page. */
  nextCursor?: Cursor;

  /** Milliseconds after arrival during which the result is fresh; absent before revision 2026-07-28. */
  ttlMs?: CacheableResult["ttlMs"];

  /** `public` if users may share the cached result, `private` if not; absent before revision 2026-07-28. */
  cacheScope?: CacheableResult["cacheScope"];

  _meta?: { [key: string]: unknown };

  [key: string]: unknown;
}

/** Requests one skill, whether the server lists it or not. */
export interface GetSkillRequest {
  method: "skills/get";
  params: {
    /** The URI of the skill's `SKILL.md`. */
    uri: string;
  };
}

/** A skill as it is at this moment. */
export interface GetSkillResult {
  skill: Skill;

  /** Milliseconds after arrival during which the result is fresh; absent before revision 2026-07-28. */
  ttlMs?: CacheableResult["ttlMs"];

  /** `public` if users may share the cached result, `private` if not; absent before revision 2026-07-28. */
  cacheScope?: CacheableResult["cacheScope"];

  _meta?: { [key: string]: unknown };

  [key: string]: unknown;
}

/** Requests one page of the direct children of a directory. */
export interface ReadResourceDirectoryRequest {
  method: "resources/directory/read";
  params: {
    /** The URI of a directory, without a slash at the end. */
    uri: string;

    /** The `nextCursor` of the page before; absent for the first page. */
    cursor?: Cursor;
  };
}

/** One page of the direct children of a directory. Those with the MIME type `inode/directory` are directories, too. */
export interface ReadResourceDirectoryResult {
  resources: Resource[];

  /** Pass it as `cursor` to request the next page; absent on the last page. */
  nextCursor?: Cursor;

  /** Milliseconds after arrival during which the result is fresh; absent before revision 2026-07-28. */
  ttlMs?: CacheableResult["ttlMs"];

  /** `public` if users may share the cached result, `private` if not; absent before revision 2026-07-28. */
  cacheScope?: CacheableResult["cacheScope"];

  _meta?: { [key: string]: unknown };

  [key: string]: unknown;
}
