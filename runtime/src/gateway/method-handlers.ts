import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_TEMPLATES_LIST,
  TOOLS_CALL,
  TOOLS_LIST,
} from "@mcpwright/protocol/names";
import type {
  CallToolRequestParams,
  CompleteRequestParams,
  GetPromptRequestParams,
  ReadResourceRequestParams,
  Tool,
} from "../authoring.js";
import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import type { MethodHandlers } from "../connection/dispatch-table.js";
import { ownMember } from "../jsonrpc/guards.js";
import { isInputRequired } from "../input-requests/input-required.js";
import type { ServerContext } from "../server/contracts.js";
import {
  mapInputRequired,
  mapPromptResult,
  mapReadResult,
  mapToolResult,
  type UriMap,
} from "./composition/result-uris.js";
import type { ItemOrigin } from "./composition/join-items.js";
import type { ExtensionHost, GatewayExtensionHandlers } from "./extensions/gateway-extension.js";
import type { ForwardedRequest } from "./forward/forwarded-request.js";
import { isAddedType } from "./forward/forwarded-meta.js";
import type { MissingServer } from "./lists/missing-server.js";
import type { GatewayLists, WithMissing } from "./lists/gateway-lists.js";
import { ListPages } from "./lists/list-pages.js";

/** The `_meta` key of a list with the servers whose items it lacks, and why. */
export const META_UNAVAILABLE = "mcpwright/unavailable";

/** What requests to servers need of the gateway. */
export interface CallHost {
  readonly lists: GatewayLists;
  /** What extensions do with the results that they add, by their type. */
  readonly added: NonNullable<GatewayExtensionHandlers["added"]>;
  /** Sends a request to a server. @throws ProtocolError */
  readonly forward: (
    context: ServerContext,
    server: string,
    request: ForwardedRequest,
  ) => Promise<Record<string, unknown>>;
}

type Params<Type> = Type & { readonly cursor?: string };

/** Returns what sends a request to a server, and gives the URIs in its result the form that clients know. */
export function createCall({ lists, added, forward }: CallHost): ExtensionHost["call"] {
  // Without promises of their own: each costs as much as a step of the protocol.
  return (context, server, request, mapResult) =>
    forward(context, server, request).then((result) => {
      const { resultType } = result;
      if (isAddedType(resultType)) {
        ownMember(added, resultType)?.(result, context, server);
        return result;
      }
      const map: UriMap = (uri) => lists.knownUris(context).toClient(server, uri);
      return isInputRequired(result) ? mapInputRequired(result, map) : mapResult(result, map);
    });
}

/** What the handlers need of the gateway. */
export interface HandlersHost extends Pick<CallHost, "lists" | "forward"> {
  readonly call: ExtensionHost["call"];
  /** Called before a tool is called. @returns the result of a tool that starts a log-in; undefined for others */
  readonly startLogIn: (context: ServerContext, tool: ItemOrigin<Tool>) => Promise<Record<string, unknown>> | undefined;
  /** Called with each list that a client gets. @returns what adds to the result what this client alone has requested */
  readonly listed: ((list: object, context: ServerContext) => ((result: object) => object) | undefined) | undefined;
}

/** The handlers of the methods that clients call. */
export function methodHandlers({ lists, forward, call, startLogIn, listed }: HandlersHost): MethodHandlers {
  const pages = new ListPages();
  const page = <Joined extends object>(
    context: ServerContext,
    { joined, missing }: WithMissing<Joined>,
    build: (joined: Joined) => object,
  ): object => {
    const addRequested = listed?.(joined, context);
    if (addRequested) return addRequested(withMissing(build(joined), missing));
    return missing.length > 0 ? withMissing(build(joined), missing) : pages.of(joined, context, () => build(joined));
  };
  return {
    [TOOLS_LIST]: ({ cursor }: Params<object>, context: ServerContext) => {
      assertFirstPage(cursor);
      const answer = (found: Awaited<ReturnType<GatewayLists["tools"]>>): object =>
        page(context, found, ({ items, ttlMs, cacheScope }) => ({ tools: items, ttlMs, cacheScope }));
      const tools = lists.tools(context);
      return tools instanceof Promise ? tools.then(answer) : answer(tools);
    },

    [TOOLS_CALL]: (params: CallToolRequestParams, context: ServerContext) => {
      const callAt = (origin: ItemOrigin<Tool>): Promise<object> => {
        const started = startLogIn(context, origin);
        if (started) return started;
        const { server, name } = origin;
        return call(context, server, { method: TOOLS_CALL, params: { ...params, name }, isCall: true }, mapToolResult);
      };
      const found = lists.tool(context, params.name);
      return found instanceof Promise ? found.then(callAt) : callAt(found);
    },

    [PROMPTS_LIST]: async ({ cursor }: Params<object>, context: ServerContext) => {
      assertFirstPage(cursor);
      const found = await lists.prompts(context);
      return page(context, found, ({ items, ttlMs, cacheScope }) => ({ prompts: items, ttlMs, cacheScope }));
    },

    [PROMPTS_GET]: async (params: GetPromptRequestParams, context: ServerContext) => {
      const { server, name } = await lists.prompt(context, params.name);
      return call(context, server, { method: PROMPTS_GET, params: { ...params, name }, isCall: true }, mapPromptResult);
    },

    [RESOURCES_LIST]: async ({ cursor }: Params<object>, context: ServerContext) => {
      assertFirstPage(cursor);
      const found = await lists.resources(context);
      return page(context, found, ({ resources, ttlMs, cacheScope }) => ({ resources, ttlMs, cacheScope }));
    },

    [RESOURCES_TEMPLATES_LIST]: async ({ cursor }: Params<object>, context: ServerContext) => {
      assertFirstPage(cursor);
      const found = await lists.resources(context);
      return page(context, found, ({ resourceTemplates, ttlMs, cacheScope }) => ({
        resourceTemplates,
        ttlMs,
        cacheScope,
      }));
    },

    [RESOURCES_READ]: async (params: ReadResourceRequestParams, context: ServerContext) => {
      const { server, uri } = await lists.resource(context, params.uri);
      const read = { method: RESOURCES_READ, params: { ...params, uri }, isCall: true, uri: params.uri };
      // The resource itself keeps the URI that the client asked for.
      return call(context, server, read, (result, map) =>
        mapReadResult(result, (one) => (one === uri ? params.uri : map(one))),
      );
    },

    [COMPLETION_COMPLETE]: async (params: CompleteRequestParams, context: ServerContext) => {
      const { server, ref } = await completedRef(params.ref, context, lists);
      return forward(context, server, { method: COMPLETION_COMPLETE, params: { ...params, ref }, isCall: false });
    },
  };
}

async function completedRef(
  ref: CompleteRequestParams["ref"],
  context: ServerContext,
  lists: GatewayLists,
): Promise<{ readonly server: string; readonly ref: CompleteRequestParams["ref"] }> {
  if (ref.type === "ref/prompt") {
    const { server, name } = await lists.prompt(context, ref.name);
    return { server, ref: { ...ref, name } };
  }
  const { server, uri } = await lists.resource(context, ref.uri);
  return { server, ref: { ...ref, uri } };
}

/** Lists have one page. */
export function assertFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined)
    throw new ProtocolError(ErrorCode.InvalidParams, "Invalid params: cursor: the list has no further page");
}

export function withMissing(result: object, missing: readonly MissingServer[]): object {
  return missing.length > 0 ? { ...result, _meta: { [META_UNAVAILABLE]: missing } } : result;
}
