import { clientExtension, serverExtension } from "@mcpwright/protocol/extensions/skills";
import { RESOURCES_DIRECTORY_READ, SKILLS_GET, SKILLS_LIST } from "@mcpwright/protocol/names";
import type { Resource } from "../../authoring.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";
import type { CacheHint } from "../../server/cache-hint.js";
import type { ServerContext } from "../../server/contracts.js";
import type { UriMap } from "../composition/result-uris.js";
import { joinHints } from "../lists/join-hints.js";
import type { MissingServer } from "../lists/missing-server.js";
import { assertFirstPage, withMissing } from "../method-handlers.js";
import { askServers } from "./ask-servers.js";
import type { ExtensionHost, GatewayExtension } from "./gateway-extension.js";

interface Entry {
  readonly uri: string;
  readonly resources: "dynamic" | readonly { readonly uri: string }[];
}

interface SkillsPage extends Partial<CacheHint> {
  readonly skills: readonly Entry[];
  readonly nextCursor?: string;
}

/** A server that lists more skills sends pages without end. */
const maxPages = 1_000;

/**
 * Lets the extension `io.modelcontextprotocol/skills` pass through a gateway, for its option `extensions`: the skills of all servers are one
 * list. The files of skills are resources, which pass without it.
 * @example
 * ```ts
 * const gateway = createGateway({ servers, extensions: [skillsThrough()] });
 * ```
 */
export function skillsThrough(): GatewayExtension {
  return {
    server: { ...serverExtension, settings: { directoryRead: true } },
    client: clientExtension,
    attachGateway: (host) => ({
      handlers: {
        [SKILLS_LIST]: async ({ cursor }: { readonly cursor?: string }, context: ServerContext) => {
          assertFirstPage(cursor);
          return listAll(host, context);
        },

        [SKILLS_GET]: (params: { readonly uri: string }, context: ServerContext) =>
          forward(host, context, SKILLS_GET, params, "Unknown skill", (result, map) => {
            const { skill } = result as { readonly skill: Entry };
            return { ...result, skill: mapEntry(skill, map) };
          }),

        [RESOURCES_DIRECTORY_READ]: (params: { readonly uri: string }, context: ServerContext) =>
          forward(host, context, RESOURCES_DIRECTORY_READ, params, "Not a directory", (result, map) => {
            const { resources } = result as { readonly resources: readonly Resource[] };
            return { ...result, resources: resources.map((one) => ({ ...one, uri: map(one.uri) })) };
          }),
      },
    }),
  };
}

async function listAll(host: ExtensionHost, context: ServerContext): Promise<object> {
  const { servers, missing } = await host.serversWith(context, clientExtension.id);
  const failed: MissingServer[] = [...missing];
  // Those of the servers that respond: a server that fails does not change the URIs of the others.
  const uris = await host.resourceUris(context);
  const lists = await Promise.all(
    servers.map((server) =>
      listOf(host, context, server, (uri) => uris.toClient(server, uri)).catch((error: unknown) => {
        failed.push({ server, reason: toError(error).message });
        return [];
      }),
    ),
  );
  const pages = lists.flat();
  const result = { skills: pages.flatMap(({ skills }) => skills), ...joinHints(pages) };
  return withMissing(forRevision(result, context), failed);
}

async function listOf(
  host: ExtensionHost,
  context: ServerContext,
  server: string,
  map: UriMap,
): Promise<readonly SkillsPage[]> {
  const pages: SkillsPage[] = [];
  let cursor: string | undefined;
  do {
    const params = { _meta: context._meta, ...(cursor !== undefined && { cursor }) };
    const request = { method: SKILLS_LIST, params, isCall: false, isUnlimited: true };
    const page = (await host.call(context, server, request, (result) => result)) as SkillsPage;
    pages.push({ ...page, skills: page.skills.map((one) => mapEntry(one, map)) });
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < maxPages);
  return pages;
}

/** @throws ProtocolError -32602 when no server has the URI */
async function forward(
  host: ExtensionHost,
  context: ServerContext,
  method: string,
  params: { readonly uri: string },
  problem: string,
  mapResult: (result: Record<string, unknown>, map: UriMap) => object,
): Promise<object> {
  const { uri } = params;
  const uris = await host.resourceUris(context);
  const send = (server: string, own: string): Promise<object> => {
    const map: UriMap = (one) => uris.toClient(server, one);
    const request = { method, params: { ...params, uri: own }, isCall: false };
    return host.call(context, server, request, (result) => mapResult(result, map));
  };
  const known = uris.toServer(uri);
  if (known) return forRevision(await send(known.server, known.uri), context);
  // Servers need not list skills and their directories.
  const { servers } = await host.serversWith(context, clientExtension.id);
  const unknown = new ProtocolError(ErrorCode.InvalidParams, `${problem}: ${uri.slice(0, 200)}`, { uri });
  return forRevision(await askServers(servers, (server) => send(server, uri), unknown), context);
}

function mapEntry(entry: Entry, map: UriMap): Entry {
  const { uri, resources } = entry;
  const mapped = resources === "dynamic" ? resources : resources.map((one) => ({ ...one, uri: map(one.uri) }));
  return { ...entry, uri: map(uri), resources: mapped };
}

/** Removes the hints for caches in revisions that have none. */
function forRevision(result: object, { client }: ServerContext): object {
  if (client.side.profile.cacheHints) return result;
  const { ttlMs: _ttl, cacheScope: _scope, ...rest } = result as Partial<CacheHint>;
  return rest;
}
