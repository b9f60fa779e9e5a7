import type { Skill } from "@mcpwright/protocol/extensions/skills";
import type { Resource } from "../../authoring.js";
import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import { assertNumberOptions } from "../../options/assert-options.js";
import { normalUri } from "../../rules/uris.js";
import { defaultSkillLimits, type SkillLimits } from "../rules/check-skill.js";
import { digestOf } from "../rules/digest.js";
import { encodePath } from "../rules/skill-uri.js";
import { pageOf } from "./list-page.js";
import { loadSkills, type LoadOptions } from "./load-skills.js";
import type { ParseFrontmatter } from "../rules/parse-frontmatter.js";
import { SkillCatalogError, type SkillFiles } from "./skill-files.js";
import type { SkillChanges, SkillFileContent, SkillSource } from "./skill-source.js";
import { toSnapshot, type LoadedFile, type Snapshot } from "./snapshot.js";
import { textOf } from "./text-of.js";

export interface SkillCatalogOptions {
  /**
   * Parses the YAML at the beginning of each `SKILL.md`, such as `parse` of the package `yaml`. It must return values of JSON.
   */
  readonly parseFrontmatter: ParseFrontmatter;
  /** The start of all URIs, which ends with a slash. Default: `skill://`. */
  readonly baseUri?: string;
  /** The most skills, files or children of a directory on one page. Default: `100`. */
  readonly pageSize?: number;
  /** The most files and bytes of a skill. Default: those that every client has to accept, `files: 512` and `bytes: 16 MiB`. */
  readonly limits?: Partial<SkillLimits>;
  /** Whether skills in different folders may have one name; clients must then distinguish them by their URIs. Default: false. */
  readonly allowDuplicateNames?: boolean;
  /** Whether to watch the files, and load the skills again after changes, until `close`. Default: false. */
  readonly watch?: boolean;
  /**
   * Called with a `SkillCatalogError` about skills that are left out, and with other errors while the skills are loaded again. Default: a
   * catalog with such skills is not created, and later errors go to `onerror` of the servers.
   */
  readonly onerror?: (error: Error) => void;
}

const mostAttempts = 3;

/**
 * Skills from files, for the function `skills`. Digests and sizes are those of the files when the catalog was loaded. A file that has
 * changed since is never returned with them: the catalog is first loaded again.
 */
export class SkillCatalog implements SkillSource {
  #state: Snapshot = toSnapshot([], String);
  #loading: Promise<void> | undefined;
  readonly #listeners = new Set<(changes: SkillChanges | Error) => void>();
  readonly #pageSize: number;
  readonly baseUri: string;
  #unwatch: (() => void) | undefined;

  readonly #files: SkillFiles;
  readonly #loadOptions: LoadOptions;
  readonly #onerror: SkillCatalogOptions["onerror"];

  private constructor(files: SkillFiles, options: SkillCatalogOptions, loadOptions: LoadOptions) {
    this.#files = files;
    this.#loadOptions = loadOptions;
    this.#onerror = options.onerror;
    this.#pageSize = options.pageSize ?? 100;
    this.baseUri = options.baseUri ?? "skill://";
  }

  /**
   * Loads all skills: every folder with a `SKILL.md`.
   * @throws SkillCatalogError when a skill cannot be served, unless `onerror` is set; the error of `files`; SdkError
   *   `INVALID_CONFIGURATION` when an option is invalid
   */
  static async load(files: SkillFiles, options: SkillCatalogOptions): Promise<SkillCatalog> {
    const { parseFrontmatter, baseUri = "skill://", limits, allowDuplicateNames = false } = options;
    assertNumberOptions(options, limits);
    if (typeof parseFrontmatter !== "function")
      throw new SdkError(
        "INVALID_CONFIGURATION",
        'parseFrontmatter must be a function that parses YAML, such as parse of the package "yaml"',
      );
    if (!/^[a-z][a-z\d+.-]*:\/\/(?:.*\/)?$/.test(baseUri))
      throw new SdkError(
        "INVALID_CONFIGURATION",
        `baseUri must begin with a scheme and "://", and end with "/", such as skill://acme/, not ${baseUri}`,
      );
    const catalog = new SkillCatalog(files, options, {
      parseFrontmatter,
      limits: { ...defaultSkillLimits, ...limits },
      allowDuplicateNames,
      uriOf: (path) => baseUri + encodePath(path),
    });
    if (options.watch) catalog.#watch();
    try {
      await catalog.#start((error) => {
        if (!options.onerror) throw error;
        options.onerror(error);
      });
    } catch (error) {
      catalog.close();
      throw error;
    }
    return catalog;
  }

  /** The skills, sorted by URI. */
  get skills(): readonly Skill[] {
    return this.#state.skills;
  }

  /**
   * Loads the skills again and notifies the clients of what has changed. Skills that have become invalid are left out and reported.
   * Changes before the call are noticed.
   * @throws the error of the files; the catalog then stays as it is
   */
  async reload(): Promise<void> {
    await this.#loadInFlight();
    await this.#join(this.#state.fileOf);
  }

  /** Ends the watching of the files. */
  close(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  list(cursor?: string): Promise<{ readonly skills: readonly Skill[]; readonly nextCursor?: string }> {
    return settle(() => {
      const { items, ...next } = pageOf("skills", this.#state.skills, cursor, this.#pageSize);
      return { skills: items, ...next };
    });
  }

  get(uri: string): Promise<Skill | undefined> {
    return Promise.resolve(this.#state.skillOf.get(normalUri(uri)));
  }

  async read(uri: string): Promise<SkillFileContent | undefined> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const state = this.#state;
      const file = state.fileOf.get(normalUri(uri));
      if (!file) return undefined;
      const bytes = await this.#files.read(file.path, file.size);
      const { mimeType } = file;
      if (bytes?.length === file.size && (await digestOf(bytes)) === file.digest) {
        const text = textOf(bytes);
        return text === undefined ? { mimeType, blob: bytes } : { mimeType, text };
      }
      // Files can change without a change of their version.
      if (state === this.#state) await this.#join(new Map());
    }
    throw new ProtocolError(ErrorCode.InternalError, "The file changes while it is read; try again");
  }

  readDirectory(
    uri: string,
    cursor?: string,
  ): Promise<{ readonly resources: Resource[]; readonly nextCursor?: string } | undefined> {
    return settle(() => {
      const directory = normalUri(uri);
      const children = this.#state.directories.get(directory);
      if (!children) return undefined;
      const { items, ...next } = pageOf(directory, children, cursor, this.#pageSize);
      return { resources: [...items], ...next };
    });
  }

  listResources(cursor?: string): Promise<{ readonly resources: readonly Resource[]; readonly nextCursor?: string }> {
    return settle(() => {
      const { items, ...next } = pageOf("resources", this.#state.resources, cursor, this.#pageSize);
      return { resources: items, ...next };
    });
  }

  subscribe(changed: (changes: SkillChanges) => void, onerror?: (error: Error) => void): () => void {
    const listener = (news: SkillChanges | Error): void => (news instanceof Error ? onerror?.(news) : changed(news));
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reports an error to `onerror`, or to the servers. */
  #report(error: Error): void {
    if (this.#onerror) this.#onerror(error);
    else for (const listener of this.#listeners) listener(error);
  }

  #watch(): void {
    if (!this.#files.watch)
      throw new SdkError("INVALID_CONFIGURATION", "these files cannot be watched; leave the option watch out");
    const report = (error: unknown): void => this.#report(error instanceof Error ? error : new Error(String(error)));
    const reload = async (): Promise<void> => {
      await this.#loadInFlight();
      if (this.#unwatch) await this.#join(this.#state.fileOf);
    };
    this.#unwatch = this.#files.watch(() => void reload().catch(report), report);
  }

  /** Waits for the end of a load that may have begun before the last change, and may fail. */
  async #loadInFlight(): Promise<void> {
    await this.#loading?.catch(() => undefined);
  }

  /** Loads the skills once for all that wait for it: what has changed since it began is noticed by the next. */
  #join(before: ReadonlyMap<string, LoadedFile>): Promise<void> {
    return this.#loading ?? this.#start((error) => this.#report(error), before);
  }

  #start(onInvalid: (error: SkillCatalogError) => void, before?: ReadonlyMap<string, LoadedFile>): Promise<void> {
    return (this.#loading = this.#load(onInvalid, before).finally(() => {
      this.#loading = undefined;
    }));
  }

  async #load(onInvalid: (error: SkillCatalogError) => void, before?: ReadonlyMap<string, LoadedFile>): Promise<void> {
    let loaded = await loadSkills(this.#files, this.#loadOptions, before);
    for (let attempt = 1; loaded.stale.length > 0 && attempt < mostAttempts; attempt++)
      loaded = await loadSkills(this.#files, this.#loadOptions, before);
    const { skills } = loaded;
    const problems = [...loaded.problems, ...loaded.stale];
    if (problems.length > 0) onInvalid(new SkillCatalogError(problems));
    const last = this.#state;
    this.#state = toSnapshot(skills, this.#loadOptions.uriOf);
    const changes = compare(last, this.#state);
    if (changes.listChanged || changes.updated.length > 0) for (const listener of this.#listeners) listener(changes);
  }
}

function compare(last: Snapshot, next: Snapshot): SkillChanges {
  const updated = [...next.fileOf.values()].filter(({ uri, digest }) => {
    const before = last.fileOf.get(uri);
    return before && before.digest !== digest;
  });
  return {
    updated: updated.map(({ uri }) => uri),
    listChanged: JSON.stringify([last.skills, last.resources]) !== JSON.stringify([next.skills, next.resources]),
  };
}

/** Errors of a synchronous function reject the promise. */
function settle<Value>(run: () => Value): Promise<Value> {
  return new Promise((resolve) => resolve(run()));
}
