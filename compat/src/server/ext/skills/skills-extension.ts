import {
  GetSkillRequestParamsSchema,
  ListSkillsRequestParamsSchema,
  ReadResourceDirectoryRequestParamsSchema,
  RESOURCES_DIRECTORY_READ_METHOD,
  type Skill,
  SKILL_LIMITS,
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from "../../../core/ext/skills.js";
import type { McpServer } from "../../mcp-server.js";
import { ResourceTemplate } from "../../resource-template.js";
import { CatalogSource, type CatalogState } from "./catalog-source.js";
import { type LoadOptions, loadSkills } from "./load-skills.js";
import { LiveServers } from "./live-servers.js";
import {
  type SkillCatalogChanges,
  type SkillCatalogOptions,
  type SkillFiles,
  type SkillSourceOptions,
  warnOnConsole,
} from "./options.js";
import { namesOf } from "./relative-path.js";
import { SkillsMethods } from "./skills-methods.js";
import { changesOf } from "./snapshot.js";
import { uriBelow } from "./uris.js";

/** The servers that have skills. */
const withSkills = /* @__PURE__ */ new WeakMap<McpServer, SkillsExtension>();

/** Skills for any number of servers: the extension `io.modelcontextprotocol/skills` (SEP-2640). */
export class SkillsExtension {
  readonly id = SKILLS_EXTENSION_ID;
  readonly #methods: SkillsMethods;
  readonly #cacheHint: SkillSourceOptions["cacheHint"];

  /** Loads skills from a storage. */
  static load(files: SkillFiles, options?: SkillCatalogOptions): Promise<SkillCatalog> {
    return SkillCatalog.load(files, options);
  }

  /** @throws TypeError for an invalid `baseUri`, RangeError for an invalid `cacheHint` */
  constructor(options: SkillSourceOptions) {
    this.#methods = new SkillsMethods(options);
    this.#cacheHint = options.cacheHint;
  }

  /**
   * Serves the skills on a server that is not connected yet. A second call for the same server does nothing.
   * @throws Error when the server is connected, has the skills of another extension, or handles one of the methods
   */
  attach(mcp: McpServer): void {
    if (withSkills.get(mcp) === this) return;
    if (mcp.isConnected()) throw new Error("attach the skills before the server is connected");
    if (withSkills.has(mcp))
      throw new Error("the server has the skills of another extension; combine them in one SkillFiles or SkillSource");
    const methods = this.#methods;
    const { server } = mcp;
    const hasDirectories = methods.source.readDirectory !== undefined;
    for (const method of [SKILLS_LIST_METHOD, SKILLS_GET_METHOD]) server.assertCanSetRequestHandler(method);
    if (hasDirectories) server.assertCanSetRequestHandler(RESOURCES_DIRECTORY_READ_METHOD);

    const list = methods.source.listResources && methods.listResources.bind(methods);
    const template = new ResourceTemplate(`${methods.baseUri}{+path}`, { list });
    const hint = this.#cacheHint === undefined ? {} : { cacheHint: this.#cacheHint };
    mcp.registerResource(SKILLS_EXTENSION_ID, template, hint, ({ href }, _variables, ctx) => methods.read(href, ctx));
    server.setRequestHandler(SKILLS_LIST_METHOD, { params: ListSkillsRequestParamsSchema }, ({ cursor }, ctx) =>
      methods.list(cursor, ctx),
    );
    server.setRequestHandler(SKILLS_GET_METHOD, { params: GetSkillRequestParamsSchema }, ({ uri }, ctx) =>
      methods.get(uri, ctx),
    );
    if (hasDirectories)
      server.setRequestHandler(
        RESOURCES_DIRECTORY_READ_METHOD,
        { params: ReadResourceDirectoryRequestParamsSchema },
        ({ uri, cursor }, ctx) => methods.readDirectory(uri, cursor, ctx),
      );
    server.registerCapabilities({
      extensions: { [SKILLS_EXTENSION_ID]: hasDirectories ? { directoryRead: true } : {} },
    });
    withSkills.set(mcp, this);
    this.attached(mcp);
  }

  /** Called after the skills were attached to a server. @internal */
  protected attached(_mcp: McpServer): void {
    // Only catalogs change.
  }
}

/** Skills from a storage. A file that has changed since it was loaded is refused until `reload` is called. */
export class SkillCatalog extends SkillsExtension {
  readonly #state: CatalogState;
  readonly #options: LoadOptions;
  readonly #servers = new LiveServers();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(state: CatalogState, options: LoadOptions, given: SkillCatalogOptions) {
    const { cacheHint } = given;
    super({
      source: new CatalogSource(state),
      baseUri: options.prefix.length === 0 ? "skill://" : uriBelow("skill://", options.prefix),
      ...(cacheHint && { cacheHint }),
      onWarning: options.onWarning,
    });
    this.#state = state;
    this.#options = options;
  }

  /**
   * Loads the skills: every folder with a `SKILL.md`.
   * @throws SkillCatalogError when the storage fails, and with `strict` when a skill is invalid; RangeError or TypeError for an invalid
   *   option
   */
  static override async load(files: SkillFiles, options: SkillCatalogOptions = {}): Promise<SkillCatalog> {
    const { prefix, pageSize = 100, limits, strict = false, onWarning = warnOnConsole } = options;
    const load: LoadOptions = {
      prefix: prefix === undefined ? [] : namesOf(prefix, "prefix"),
      limits: { files: limits?.files ?? SKILL_LIMITS.files, bytes: limits?.bytes ?? SKILL_LIMITS.bytes },
      strict,
      onWarning,
    };
    assertCount("pageSize", pageSize);
    assertCount("limits.files", load.limits.files);
    assertCount("limits.bytes", load.limits.bytes);
    const current = await loadSkills(files, load);
    return new SkillCatalog({ current, files, pageSize, onWarning }, load, options);
  }

  /** The skills, sorted by URI. They cannot be changed. */
  get entries(): readonly Skill[] {
    return this.#state.current.skills;
  }

  /**
   * Loads the skills again, and notifies the clients of connected servers when the list has changed. Servers that `createMcpHandler` makes
   * are not connected any more: call `handler.notify.resourcesChanged()` when `listChanged` is true.
   * @throws as `load`; the skills then stay as they are
   */
  reload(): Promise<SkillCatalogChanges> {
    const changes = this.#last.then(() => this.#reload());
    this.#last = changes.catch(() => undefined);
    return changes;
  }

  async #reload(): Promise<SkillCatalogChanges> {
    const next = await loadSkills(this.#state.files, this.#options);
    const changes = changesOf(this.#state.current, next);
    this.#state.current = next;
    if (changes.listChanged) this.#servers.notify(this.#options.onWarning);
    return changes;
  }

  /** @internal */
  protected override attached(mcp: McpServer): void {
    this.#servers.add(mcp);
  }
}

function assertCount(name: string, value: number): void {
  if (value === Infinity || (Number.isSafeInteger(value) && value > 0)) return;
  throw new RangeError(`${name} must be a positive integer or Infinity, not ${String(value)}`);
}
