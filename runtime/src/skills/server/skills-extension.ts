import { serverExtension, type SkillsExtensionTypes } from "@mcpwright/protocol/extensions/skills";
import { RESOURCES_DIRECTORY_READ, SKILLS_GET, SKILLS_LIST } from "@mcpwright/protocol/names";
import { ErrorCode, ProtocolError, ResourceNotFoundError } from "../../jsonrpc/errors.js";
import { checkCacheHint, type CacheHint } from "../../server/cache-hint.js";
import type { ServerContext } from "../../server/contracts.js";
import { ResourceTemplate } from "../../server/resource-template.js";
import type { FeatureHost, ServerExtension, ServerHost } from "../../server/server-extension.js";
import { followChanges } from "./follow-changes.js";
import type { SkillFileContent, SkillSource } from "./skill-source.js";
import { toBase64 } from "./text-of.js";

export interface ServerSkillsOptions {
  /** How long clients may cache entries, directories and files, in revisions that have it. Default: not at all. */
  readonly cacheHint?: CacheHint;
}

/**
 * Skills on servers, for the option `extensions` of `McpServer`: the extension `io.modelcontextprotocol/skills` over 2025-11-25 and
 * 2026-07-28. The files of the skills are resources of the server, so that clients without the extension can read them, too.
 * @example
 * ```ts
 * import { parse } from "yaml";
 *
 * const files = memorySkillFiles({ "git-workflow/SKILL.md": "---\nname: git-workflow\ndescription: How we use Git\n---\n" });
 * const catalog = await SkillCatalog.load(files, { parseFrontmatter: parse });
 * const server = new McpServer({ name: "team", version: "1.0.0" }, { extensions: [skills(catalog)] });
 * ```
 * @throws SdkError `INVALID_CONFIGURATION` when the cache hint is invalid
 */
export function skills(source: SkillSource, options: ServerSkillsOptions = {}): ServerExtension<SkillsExtensionTypes> {
  const { cacheHint } = options;
  if (cacheHint) checkCacheHint("skills", cacheHint);
  return {
    ...serverExtension,
    settings: source.readDirectory ? { directoryRead: true } : {},
    attachServer: (server) => attach(server, source, cacheHint),
    attachFeatures: (features) => register(features, source, options),
  };
}

type PageParams = { readonly cursor?: string } | undefined;

function attach(server: ServerHost, source: SkillSource, cacheHint: CacheHint | undefined): void {
  // Only revisions with cache hints in results use them.
  const hinted = <Result extends object>(result: Result, { client }: ServerContext): Result =>
    cacheHint && client.side.profile.cacheHints ? { ...cacheHint, ...result } : result;
  server.handle({
    [SKILLS_LIST]: async (params: PageParams, context: ServerContext) =>
      hinted(await source.list(params?.cursor, context), context),
    [SKILLS_GET]: async ({ uri }: { uri: string }, context: ServerContext) => {
      const skill = await source.get(uri, context);
      if (!skill) throw new ProtocolError(ErrorCode.InvalidParams, `Unknown skill: ${uri.slice(0, 200)}`, { uri });
      return hinted({ skill }, context);
    },
  });
  if (source.readDirectory)
    server.handle({
      [RESOURCES_DIRECTORY_READ]: async ({ uri, cursor }: { uri: string; cursor?: string }, context: ServerContext) => {
        const page = await source.readDirectory?.(uri, cursor, context);
        if (!page) throw new ProtocolError(ErrorCode.InvalidParams, `Not a directory: ${uri.slice(0, 200)}`, { uri });
        return hinted(page, context);
      },
    });
  followChanges(server, source);
}

function register(features: FeatureHost, source: SkillSource, { cacheHint }: ServerSkillsOptions): void {
  const { baseUri = "skill://" } = source;
  const list = async (context: ServerContext, cursor: string | undefined) =>
    (await source.listResources?.(cursor, context)) ?? { resources: [] };
  features.registerResource(
    serverExtension.id,
    new ResourceTemplate(`${baseUri}{+path}`, source.listResources && { list }),
    { title: "Skills", description: "Files of skills", ...(cacheHint && { cacheHint }) },
    async ({ href }: URL, _variables, context) => {
      const content = await source.read(href, context);
      if (!content) throw new ResourceNotFoundError(href);
      return { contents: [toContents(href, content)] };
    },
  );
}

function toContents(uri: string, content: SkillFileContent) {
  const type = content.mimeType === undefined ? {} : { mimeType: content.mimeType };
  return "text" in content ? { uri, ...type, text: content.text } : { uri, ...type, blob: toBase64(content.blob) };
}
