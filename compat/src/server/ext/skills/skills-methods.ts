import type { Skill } from "../../../core/ext/skills.js";
import type { ServerContext } from "../../../shared/contexts.js";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "../../../shared/errors.js";
import type { ListResourcesResult, ReadResourceResult, Result } from "../../../types/index.js";
import { HandlerContext } from "../../handler-context.js";
import type { CacheHint } from "../../server-options.js";
import { toBase64 } from "./content.js";
import { CatalogSource } from "./catalog-source.js";
import { type SkillSource, type SkillSourceOptions, warnOnConsole } from "./options.js";
import { problemsOf } from "./skill-entry.js";
import { normalUri, withoutSlashes } from "./uris.js";

const invalid = "invalid skill entry from the source";

/** Answers requests about skills from a source. */
export class SkillsMethods {
  readonly source: SkillSource;
  /** The start of all URIs: a scheme with `://`, or a URI with a slash at the end. */
  readonly baseUri: string;
  readonly #options: SkillSourceOptions;
  readonly #hints: CacheHint;

  /** @throws TypeError for an invalid `baseUri`, RangeError for an invalid `cacheHint` */
  constructor(options: SkillSourceOptions) {
    const { source, baseUri = "skill://", cacheHint = {} } = options;
    const { ttlMs = 0, cacheScope = "private" } = cacheHint;
    if (!(Number.isSafeInteger(ttlMs) && ttlMs >= 0))
      throw new RangeError(`cacheHint.ttlMs must be an integer of 0 or more, not ${String(ttlMs)}`);
    if (!["public", "private"].includes(cacheScope))
      throw new RangeError(`cacheHint.cacheScope must be public or private, not ${cacheScope}`);
    const base = /^[a-z][\d+.a-z-]*:\/\//i.test(baseUri) ? normalUri(baseUri) : undefined;
    if (base === undefined)
      throw new TypeError(`baseUri must begin with a scheme and "://", not ${JSON.stringify(baseUri)}`);
    this.source = source;
    this.baseUri = base.endsWith("://") ? base : `${withoutSlashes(base)}/`;
    this.#options = options;
    this.#hints = { ttlMs, cacheScope };
  }

  async list(cursor: string | undefined, ctx: ServerContext): Promise<Result> {
    const { skills, nextCursor } = await this.source.list(cursor === undefined ? {} : { cursor }, ctx);
    return { skills: this.#valid(skills), ...toNext(nextCursor), ...this.#hintsFor(ctx) };
  }

  async get(uri: string, ctx: ServerContext): Promise<Result> {
    const skill = await this.source.get(uri, ctx);
    if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${uri}`);
    const problems = this.#problemsOf(skill);
    if (problems.length > 0) {
      const message = `${invalid}: ${problems.join("; ")}`;
      this.#warn(uri, message);
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
    if (normalUri(skill.uri) !== normalUri(uri))
      throw new ProtocolError(ProtocolErrorCode.InternalError, `the skill source returned ${skill.uri} for ${uri}`);
    return { skill, ...this.#hintsFor(ctx) };
  }

  async read(uri: string, ctx: ServerContext): Promise<ReadResourceResult> {
    const found = await this.source.read(uri, ctx);
    if (!found) throw new ResourceNotFoundError(uri);
    const { mimeType } = found;
    const content = "text" in found ? { text: found.text } : { blob: toBase64(found.bytes) };
    return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), ...content }] };
  }

  async readDirectory(uri: string, cursor: string | undefined, ctx: ServerContext): Promise<Result> {
    const page = await this.source.readDirectory?.(uri, cursor === undefined ? {} : { cursor }, ctx);
    if (!page) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri} is not a directory resource`);
    return { resources: page.resources, ...toNext(page.nextCursor), ...this.#hintsFor(ctx) };
  }

  async listResources(ctx: ServerContext): Promise<ListResourcesResult> {
    const listed = (await this.source.listResources?.(ctx)) ?? [];
    const resources = listed.filter(({ uri }) => {
      const isOwn = normalUri(uri)?.startsWith(this.baseUri) === true;
      if (!isOwn) this.#warn(uri, `must begin with ${this.baseUri}; it is left out of resources/list`);
      return isOwn;
    });
    return { resources };
  }

  /** Cache hints exist since 2026-07-28. */
  #hintsFor(ctx: ServerContext): CacheHint {
    const hasHints = ctx instanceof HandlerContext && ctx.native.client.side.profile.cacheHints;
    return hasHints ? this.#hints : {};
  }

  #valid(skills: readonly Skill[]): Skill[] {
    return skills.filter((skill) => {
      const problems = this.#problemsOf(skill);
      if (problems.length === 0) return true;
      const { uri } = (skill as Partial<Skill> | null) ?? {};
      const path = typeof uri === "string" ? uri : "(entry without a uri)";
      const message = `${invalid}: ${problems.join("; ")}`;
      if (this.#options.strict) throw new ProtocolError(ProtocolErrorCode.InternalError, `${path}: ${message}`);
      this.#warn(path, `${message}; it is left out of skills/list`);
      return false;
    });
  }

  /** Entries of a catalog were checked when it was loaded. */
  #problemsOf(skill: Skill): readonly string[] {
    return this.source instanceof CatalogSource ? [] : problemsOf(skill);
  }

  #warn(path: string, message: string): void {
    const { onWarning = warnOnConsole } = this.#options;
    onWarning({ path, message });
  }
}

function toNext(nextCursor: string | undefined): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}
