import { clientExtension, type Skill } from "@mcpwright/protocol/extensions/skills";
import { RESOURCES_DIRECTORY_READ, SKILLS_GET, SKILLS_LIST } from "@mcpwright/protocol/names";
import type { Resource } from "../../authoring.js";
import type { Client } from "../../client/client.js";
import type { ClientInternals } from "../../client/client-extension.js";
import { fetchPages, type PageParams } from "../../client/fetch-pages.js";
import type { SendOptions } from "../../client/send-options.js";
import { serverSettings } from "../../client/server-settings.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { assertMethods } from "../../options/assert-methods.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { normalUri } from "../../rules/uris.js";
import { checkSkill, defaultSkillLimits, type SkillLimits } from "../rules/check-skill.js";
import { checkSkills, type InvalidSkill } from "./check-skills.js";
import { type LocatedSkillFile, locateSkillFile } from "./locate-file.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { SkillVerificationError } from "../rules/skill-problem.js";
import { internalsOf } from "./skills-extension.js";
import { isChildOf } from "../rules/skill-uri.js";
import { type SkillFile, verifySkillFile } from "./verify-skill-file.js";

export interface SkillsClientOptions {
  /** Parses the YAML of a `SKILL.md`, by the core schema of YAML 1.2: `parse` of the package `yaml`, for example. */
  readonly parseFrontmatter: ParseFrontmatter;
  readonly limits?: Partial<SkillsClientLimits>;
}

/** What a client accepts from a server. */
export interface SkillsClientLimits extends SkillLimits {
  /** The most skills of a list, and the most children of a directory. Default: 10,000. */
  readonly items: number;
}

/** How long a result is fresh, and who may share it; 0 and `private` before revision 2026-07-28. */
export interface SkillCacheHints {
  /** Milliseconds. */
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}

/** A list of skills. It may be empty or partial: a server can have skills that it does not list. */
export interface SkillListing extends SkillCacheHints {
  /** Their names need not be unique. */
  readonly skills: readonly Skill[];
  /** The entries that cannot be used, and why. */
  readonly invalid: readonly InvalidSkill[];
  /** The next page, if only one was requested. */
  readonly nextCursor?: string;
}

/**
 * Reads the skills of a server, and verifies each file against the entry of its skill. Nothing is read before you ask for it.
 *
 * Skills are instructions from a server for your model. To ask the user, to name the server as their origin, and to run no code of
 * them without approval is up to your program (SEP-2640, security implications).
 * @example
 * ```ts
 * const reader = new SkillsClient(client, { parseFrontmatter: parse });
 * const { skills, invalid } = await reader.list();
 * for (const { error } of invalid) console.warn(error.message);
 * const { body } = await reader.read(skills[0]);
 * const forms = await reader.read(skills[0], "references/FORMS.md");
 * ```
 */
export class SkillsClient {
  readonly #client: Client;
  readonly #internals: ClientInternals;
  readonly #parse: ParseFrontmatter;
  readonly #limits: SkillsClientLimits;

  /** @throws SdkError `INVALID_CONFIGURATION` when the client does not have the extension `skills()`, or an option is invalid */
  constructor(client: Client, options: SkillsClientOptions) {
    this.#client = client;
    this.#internals = internalsOf(client);
    assertMethods(options, ["parseFrontmatter"], "pass { parseFrontmatter }, such as parse of the package yaml");
    assertNumberOptions(options.limits);
    this.#parse = options.parseFrontmatter;
    this.#limits = { ...defaultSkillLimits, items: 10_000, ...options.limits };
  }

  /** Whether the server declares the extension; false without a connection. */
  get supported(): boolean {
    return this.#settings !== undefined;
  }

  /** Whether the server has `resources/directory/read`; false without a connection. */
  get directoryRead(): boolean {
    return this.#settings?.directoryRead === true;
  }

  /**
   * Lists the skills of the server: all of them, or the page after `cursor`. Reads none of their files.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the server does not declare the extension, `LIST_PAGINATION_EXCEEDED` when the pages do
   *   not end, `LIMIT_EXCEEDED` when there are more skills than `limits.items`
   */
  async list(params: PageParams = {}, options?: SendOptions): Promise<SkillListing> {
    const page = await this.#pages(SKILLS_LIST, params, "skills", options);
    const { skills, ttlMs, cacheScope, nextCursor } = page;
    const next = nextCursor === undefined ? {} : { nextCursor };
    return { ...checkSkills(skills, this.#limits), ...next, ttlMs, cacheScope };
  }

  /**
   * Returns the current entry of a skill, whether the server lists it or not.
   * @param uri the URI of its `SKILL.md`
   * @throws RemoteError -32602 when the server does not have the skill
   * @throws SkillVerificationError when the entry is invalid, or that of another skill
   */
  async get(uri: string, options?: SendOptions): Promise<SkillCacheHints & { readonly skill: Skill }> {
    const result = await this.#send(SKILLS_GET, { uri }, options);
    const { skill, ttlMs = 0, cacheScope = "private" } = result as Partial<SkillCacheHints> & { skill: Skill };
    const [first, ...rest] = checkSkill(skill, this.#limits);
    if (first) throw new SkillVerificationError(uri, [first, ...rest]);
    if (normalUri(skill.uri) === normalUri(uri)) return { skill, ttlMs, cacheScope };
    const message = `the server responded with ${skill.uri}`;
    throw new SkillVerificationError(uri, [{ reason: "uri", uri, expected: uri, actual: skill.uri, message }]);
  }

  /**
   * Reads a file of a skill, and verifies it: the entry must contain it, its size and digest must be those of the entry, and the YAML of
   * `SKILL.md` must equal the frontmatter of the entry. A cached file that is not the right one is requested again, once.
   * @param skill from `list` or `get`; store the entry that the user has approved
   * @param reference a path relative to the directory of the skill, or a URI in it, such as the target of a link; its fragment does not
   *   count. Default: `SKILL.md`.
   * @throws SkillVerificationError when a check fails; before any request if the skill does not contain the file
   */
  async read(skill: Skill, reference?: string, options?: SendOptions): Promise<SkillFile> {
    const file = locateSkillFile(skill, reference, this.#limits);
    try {
      return await this.#readFile(skill, file, options);
    } catch (error) {
      if (!(error instanceof SkillVerificationError) || !this.#client.options.cache) throw error;
      return this.#readFile(skill, file, options);
    }
  }

  /**
   * Lists the direct children of a directory. Those with the MIME type `inode/directory` are directories, too.
   * @param uri the URI of the directory, without a slash at the end
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when `directoryRead` is false, `INVALID_RESULT` when a child is not in the directory, and as
   *   `list`
   * @throws RemoteError -32602 when it is not a directory
   */
  async readDirectory(
    uri: string,
    options?: SendOptions,
  ): Promise<SkillCacheHints & { readonly resources: readonly Resource[] }> {
    const { resources, ttlMs, cacheScope } = await this.#pages(RESOURCES_DIRECTORY_READ, { uri }, "resources", options);
    const children = resources as readonly Resource[];
    const stray = children.find((child) => !isChildOf(uri, child.uri));
    if (!stray) return { resources: children, ttlMs, cacheScope };
    const problem = `the directory ${uri} has the child ${stray.uri}, which is not in it`;
    throw new SdkError("INVALID_RESULT", problem, { result: stray });
  }

  get #settings(): { readonly directoryRead?: boolean } | undefined {
    return this.#client.era && serverSettings(clientExtension, this.#client);
  }

  async #readFile(skill: Skill, file: LocatedSkillFile, options?: SendOptions): Promise<SkillFile> {
    const { contents } = await this.#client.readResource({ uri: file.uri }, options);
    try {
      return await verifySkillFile(skill, file, contents, { parseFrontmatter: this.#parse, limits: this.#limits });
    } catch (error) {
      if (error instanceof SkillVerificationError) this.#forget(skill, file);
      throw error;
    }
  }

  /** Drops the cached file and entry: either may be out of date. */
  #forget(skill: Skill, file: LocatedSkillFile): void {
    // The connection may have ended since.
    if (!this.#client.era) return;
    const { cache, cacheKey } = this.#internals.pipeline().options;
    for (const { uri } of [file, skill]) cache?.invalidateResource(cacheKey, uri);
    cache?.invalidateMethod(cacheKey, SKILLS_LIST);
  }

  /** Sends a request without the interceptors, which check the skills of a result. */
  #send(method: string, params: object, options: SendOptions | undefined): Promise<object> {
    return this.#internals.requests.sendUnchanged(method, params, options) as Promise<object>;
  }

  async #pages<Key extends string>(
    method: string,
    params: PageParams & { readonly uri?: string },
    key: Key,
    options: SendOptions | undefined,
  ): Promise<SkillCacheHints & Pick<SkillListing, "nextCursor"> & Readonly<Record<Key, readonly unknown[]>>> {
    const { items } = this.#limits;
    let count = 0;
    const send = async (page: PageParams): Promise<unknown> => {
      const result = (await this.#send(method, page, options)) as Readonly<Record<string, readonly unknown[]>>;
      count += result[key]?.length ?? 0;
      if (count <= items) return result;
      throw new SdkError("LIMIT_EXCEEDED", `${method} was stopped after ${count} items: the client accepts ${items}`);
    };
    // The first page waits while the client reconnects.
    const first = await send(params);
    const pages = fetchPages(this.#internals.pipeline(), method, params, (page) =>
      page.cursor === params.cursor ? Promise.resolve(first) : send(page),
    );
    return (await pages) as never;
  }
}
