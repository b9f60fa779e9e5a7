import {
  type FileContent,
  locateSkillFile,
  type SkillFile as NativeFile,
  verifySkillFile,
} from "@mcpwright/runtime/skills/client";
import { parse } from "yaml";
import * as z from "zod/v4";
import {
  type DirectoryResource,
  ReadResourceDirectoryResultSchema,
  RESOURCES_DIRECTORY_READ_METHOD,
  type Skill,
  type SkillCacheScope,
  SkillCacheScopeSchema,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  skillsCapabilityOf,
} from "../../core/ext/skills.js";
import { SdkError, SdkErrorCode } from "../../shared/errors.js";
import type { RequestOptions } from "../../shared/request-options.js";
import type { ReadResourceResult } from "../../types/index.js";
import type { Client } from "../client.js";
import { type ClientInternals, internalsOf } from "../client-internals.js";
import type { CacheableRequestOptions } from "../options.js";
import { type InvalidSkillEntry, problemOf, toListing } from "./skill-entries.js";
import { SkillVerificationError, toOfficialSkillError } from "./skill-verification-error.js";

export interface SkillsClientOptions {
  /** Parses the YAML between the `---` lines of a `SKILL.md`. Default: the core schema of YAML 1.2. */
  parseFrontmatter?: (yaml: string) => Record<string, unknown>;
  /** Returns invalid entries of a list in `invalid`, in place of an error. Default: `false`. */
  skipInvalid?: boolean;
}

/** The valid skills of a server, the other entries, and the cache hints of the first page. */
export interface SkillListing {
  skills: Skill[];
  invalid: InvalidSkillEntry[];
  /** Only if one page was requested. */
  nextCursor?: string;
  ttlMs?: number;
  cacheScope?: SkillCacheScope;
}

/** A file of a skill, read and verified. */
export interface SkillFile {
  uri: string;
  mimeType?: string;
  bytes: Uint8Array;
  text?: string;
  /** `false` only for skills whose content is generated. */
  verified: boolean;
  /** Only for the `SKILL.md` of the skill. */
  frontmatter?: Record<string, unknown>;
  /** Only for the `SKILL.md` of the skill: the Markdown after its frontmatter. */
  body?: string;
}

interface CacheHints {
  ttlMs?: number;
  cacheScope?: SkillCacheScope;
}

const required = { ttlMs: z.number().int().nonnegative(), cacheScope: SkillCacheScopeSchema };
const hints = { ttlMs: true, cacheScope: true } as const;
const page = z.looseObject({ skills: z.array(z.unknown()), nextCursor: z.string().optional(), ...required });
const one = z.looseObject({ skill: z.unknown(), ...required });
/** Cache hints exist since 2026-07-28. */
const modern = { page, one, directory: ReadResourceDirectoryResultSchema };
const legacy = {
  page: page.partial(hints),
  one: one.partial(hints),
  directory: ReadResourceDirectoryResultSchema.partial(hints),
};

type Page = CacheHints & { nextCursor?: string | undefined };

/** Reads the skills of a server, and verifies each file against the entry of its skill. */
export class SkillsClient {
  readonly #client: Client;
  readonly #options: SkillsClientOptions;
  readonly #internals: ClientInternals;

  constructor(client: Client, options: SkillsClientOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#internals = internalsOf(client);
  }

  /** Whether the server has declared the extension. */
  get supported(): boolean {
    const capabilities = this.#client.getServerCapabilities();
    if (skillsCapabilityOf(capabilities) === undefined) return false;
    return this.#internals.options.enforceStrictCapabilities !== true || capabilities?.resources !== undefined;
  }

  /** Whether the server has `resources/directory/read`. */
  get directoryRead(): boolean {
    return this.supported && skillsCapabilityOf(this.#client.getServerCapabilities())?.directoryRead === true;
  }

  /**
   * All skills of the server, or the page after `cursor`; none if the server has not declared the extension.
   * @throws SdkError `INVALID_RESULT` that names all invalid entries, without the option `skipInvalid`
   */
  async list(params: { cursor?: string } = {}, options?: RequestOptions): Promise<SkillListing> {
    if (!this.supported) {
      if (this.#internals.options.enforceStrictCapabilities) throw unsupported(SKILLS_LIST_METHOD);
      return { skills: [], invalid: [] };
    }
    const schema = this.#schemas.page;
    const listed = await this.#pages(SKILLS_LIST_METHOD, schema, "skills", { ...params }, options);
    const { skills, invalid } = toListing(listed.skills);
    if (invalid.length > 0 && this.#options.skipInvalid !== true) {
      const lines = invalid.map(({ index, uri = "", reason }) => `#${index} ${uri}: ${reason}`);
      const message = `skills/list returned invalid entries:\n${lines.join("\n")}`;
      throw new SdkError(SdkErrorCode.InvalidResult, message, { invalid });
    }
    const { nextCursor } = listed;
    const next = params.cursor !== undefined && nextCursor !== undefined ? { nextCursor } : {};
    return { skills, invalid, ...next, ...hintsOf(listed) };
  }

  /** The current entry of a skill. @throws SdkError `INVALID_RESULT` when it is invalid, or that of another skill */
  async get(uri: string, options?: RequestOptions): Promise<CacheHints & { skill: Skill }> {
    if (!this.supported) throw unsupported(SKILLS_GET_METHOD);
    const request = { method: SKILLS_GET_METHOD, params: { uri } };
    const result = await this.#client.request(request, this.#schemas.one, options);
    const problem = problemOf(result.skill);
    if (problem !== undefined) {
      const message = `skills/get returned an invalid entry for ${uri}: ${problem}`;
      throw new SdkError(SdkErrorCode.InvalidResult, message);
    }
    const skill = result.skill as Skill;
    if (normal(skill.uri) !== normal(uri))
      throw new SdkError(SdkErrorCode.InvalidResult, `skills/get for ${uri} returned ${skill.uri}`);
    return { skill, ...hintsOf(result) };
  }

  /**
   * Reads a file of a skill, and verifies it. A cached file that fails is requested again, once.
   * @param ref relative to the directory of the skill, or a URI in it. Default: its `SKILL.md`
   * @throws SkillVerificationError when a check fails
   */
  async read(skill: Skill, ref?: string, options?: CacheableRequestOptions): Promise<SkillFile> {
    if (!this.supported) throw unsupported("resources/read");
    try {
      const limits = { files: Infinity, bytes: Infinity };
      const entry = skill as Parameters<typeof locateSkillFile>[0];
      const file = locateSkillFile(entry, ref, limits);
      const parseFrontmatter =
        this.#options.parseFrontmatter ?? ((yaml: string) => (parse(yaml, { logLevel: "error" }) ?? {}) as unknown);
      const verify = ({ contents }: ReadResourceResult): Promise<NativeFile> =>
        verifySkillFile(entry, file, contents as readonly FileContent[], { parseFrontmatter, limits });
      const params = { uri: file.uri };
      const { result, isCached } = await this.#internals.readResource(params, options);
      const found = await verify(result).catch(async (error: unknown) => {
        if (!isCached || !(toOfficialSkillError(error) instanceof SkillVerificationError)) throw error;
        return verify(await this.#client.readResource(params, { ...options, cacheMode: "refresh" }));
      });
      const { path: _path, ...own } = found;
      return own;
    } catch (error) {
      throw toOfficialSkillError(error);
    }
  }

  /** The direct children of a directory. */
  async readDirectory(uri: string, options?: RequestOptions): Promise<CacheHints & { resources: DirectoryResource[] }> {
    const method = RESOURCES_DIRECTORY_READ_METHOD;
    if (!this.directoryRead) {
      const message = `Server does not declare directoryRead for ${SKILLS_EXTENSION_ID} (required for ${method})`;
      throw new SdkError(SdkErrorCode.CapabilityNotSupported, message);
    }
    const listed = await this.#pages(method, this.#schemas.directory, "resources", { uri }, options);
    return { resources: listed.resources as DirectoryResource[], ...hintsOf(listed) };
  }

  get #schemas(): typeof modern | typeof legacy {
    return this.#client.getProtocolEra() === "modern" ? modern : legacy;
  }

  /** Fetches the page after `cursor`, or all pages. */
  async #pages<Key extends string>(
    method: string,
    schema: z.ZodType<object>,
    key: Key,
    params: { readonly cursor?: string; readonly uri?: string },
    options: RequestOptions | undefined,
  ): Promise<Page & Record<Key, unknown[]>> {
    type Found = Page & Record<Key, unknown[]>;
    const fetch = async (cursor: string | undefined): Promise<Found> => {
      const own = cursor === undefined ? params : { ...params, cursor };
      return (await this.#client.request({ method, params: own }, schema, options)) as Found;
    };
    const first = await fetch(params.cursor);
    if (params.cursor !== undefined) return first;
    const { listMaxPages = 64 } = this.#internals.options;
    const items = [...first[key]];
    const seen = new Set<string>();
    for (let cursor = first.nextCursor; cursor !== undefined && !seen.has(cursor);) {
      seen.add(cursor);
      if (listMaxPages > 0 && seen.size >= listMaxPages) {
        const message = `${method}: exceeded listMaxPages (${listMaxPages}); server pagination did not terminate`;
        throw new SdkError(SdkErrorCode.ListPaginationExceeded, message, { method, listMaxPages });
      }
      const next = await fetch(cursor);
      for (const item of next[key]) items.push(item);
      cursor = next.nextCursor;
    }
    return { ...first, [key]: items };
  }
}

function hintsOf({
  ttlMs,
  cacheScope,
}: {
  readonly ttlMs?: number | undefined;
  readonly cacheScope?: SkillCacheScope | undefined;
}): CacheHints {
  return { ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope !== undefined && { cacheScope }) };
}

function normal(uri: string): string {
  try {
    return new URL(uri).href;
  } catch {
    return uri;
  }
}

function unsupported(method: string): SdkError {
  const message = `Server does not support the ${SKILLS_EXTENSION_ID} extension (required for ${method})`;
  return new SdkError(SdkErrorCode.CapabilityNotSupported, message);
}
