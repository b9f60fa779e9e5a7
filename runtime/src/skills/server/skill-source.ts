import type { ReadResourceDirectoryResult, Skill } from "@mcpwright/protocol/extensions/skills";
import type { Resource } from "../../authoring.js";
import type { ServerContext } from "../../server/contracts.js";

/** The skills of a server: a `SkillCatalog`, or an implementation of your own, for example for generated skills. */
export interface SkillSource {
  /** The start of the URIs of all skills and files. Default: `skill://`. */
  readonly baseUri?: string;
  /**
   * Returns a page of the skills to list. The list may be empty or partial.
   * @param cursor the `nextCursor` of the page before; undefined for the first page. It comes from the client: check it
   */
  list(
    cursor: string | undefined,
    context: ServerContext,
  ): Promise<{ readonly skills: readonly Skill[]; readonly nextCursor?: string }>;
  /** Returns the skill whose `SKILL.md` has this URI, whether it is listed or not; undefined if there is none. */
  get(uri: string, context: ServerContext): Promise<Skill | undefined>;
  /** Returns the content of a file; undefined if there is none. */
  read(uri: string, context: ServerContext): Promise<SkillFileContent | undefined>;
  /** Returns a page of the direct children of a directory; undefined if there is none. Without it, clients cannot read directories. */
  readDirectory?(
    uri: string,
    cursor: string | undefined,
    context: ServerContext,
  ): Promise<Pick<ReadResourceDirectoryResult, "resources" | "nextCursor"> | undefined>;
  /** Returns a page of the files that `resources/list` contains. Default: none. */
  listResources?(
    cursor: string | undefined,
    context: ServerContext,
  ): Promise<{ readonly resources: readonly Resource[]; readonly nextCursor?: string }>;
  /**
   * Called by each server that serves these skills.
   * @param changed reports changes, so that the clients of the server can be notified
   * @param onerror reports errors to the server
   * @returns a function that the server calls when it closes
   */
  subscribe?(changed: (changes: SkillChanges) => void, onerror: (error: Error) => void): () => void;
}

/** The content of a file: text, or bytes that are not text. */
export type SkillFileContent = { readonly mimeType?: string } & (
  { readonly text: string } | { readonly blob: Uint8Array }
);

/** What has changed. */
export interface SkillChanges {
  /** The URIs of files whose content has changed. */
  readonly updated: readonly string[];
  /** Whether the lists of skills and resources have changed. */
  readonly listChanged: boolean;
}
