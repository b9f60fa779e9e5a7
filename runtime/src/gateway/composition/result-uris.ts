import { SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type {
  ContentBlock,
  CreateMessageRequestParams,
  InputRequest,
  PromptMessage,
  SamplingMessage,
  SamplingMessageContentBlock,
  Tool,
} from "../../authoring.js";
import { FLAT_RESOURCE_URI } from "../../apps/tool-link.js";
import { isObject } from "../../jsonrpc/guards.js";

/** Returns the URI that replaces one of a server, such as `ResourceUris.toClient` does. */
export type UriMap = (uri: string) => string;

/**
 * Maps the URIs in a result of a tool: those of resources and of links to them. Text and `structuredContent` stay, because nothing says what
 * in them is a URI. A result that asks for input is mapped as by `mapInputRequired`. The same object is returned if nothing changes.
 */
export function mapToolResult<Result extends object>(result: Result, map: UriMap): Result {
  const { content } = result as { readonly content?: unknown };
  const mapped = Array.isArray(content) ? mapEach(content as readonly ContentBlock[], mapBlock, map) : content;
  return mapInputRequired(mapped === content ? result : { ...result, content: mapped }, map);
}

/** Maps the URIs in the messages of a prompt, as `mapToolResult` does. */
export function mapPromptResult<Result extends object>(result: Result, map: UriMap): Result {
  const { messages } = result as { readonly messages?: unknown };
  const mapped = Array.isArray(messages)
    ? mapEach(messages as readonly PromptMessage[], mapPromptMessage, map)
    : messages;
  return mapInputRequired(mapped === messages ? result : { ...result, messages: mapped }, map);
}

/** Maps the URIs of the contents of a resource. A result that asks for input is mapped as by `mapInputRequired`. */
export function mapReadResult<Result extends object>(result: Result, map: UriMap): Result {
  const { contents } = result as { readonly contents?: unknown };
  const mapped = Array.isArray(contents) ? mapEach(contents as readonly WithUri[], mapUri, map) : contents;
  return mapInputRequired(mapped === contents ? result : { ...result, contents: mapped }, map);
}

/**
 * Maps the URIs in the sampling messages of a result that asks for input. Forms have no URIs of resources, and the URLs that they send users
 * to stay.
 */
export function mapInputRequired<Result extends object>(result: Result, map: UriMap): Result {
  const { inputRequests } = result as { readonly inputRequests?: unknown };
  if (!isObject(inputRequests)) return result;
  let changed: [string, InputRequest][] | undefined;
  for (const [key, request] of Object.entries(inputRequests) as [string, InputRequest][]) {
    if (request.method !== SAMPLING_CREATE_MESSAGE) continue;
    const params = mapSamplingParams(request.params, map);
    if (params !== request.params) (changed ??= []).push([key, { ...request, params }]);
  }
  if (!changed) return result;
  // Keys come from servers: as entries, `__proto__` is a key like others.
  return { ...result, inputRequests: Object.fromEntries([...Object.entries(inputRequests), ...changed]) };
}

/** Maps the URIs in the messages of a sampling request, whose tool results can contain resources. */
export function mapSamplingParams(params: CreateMessageRequestParams, map: UriMap): CreateMessageRequestParams {
  const messages = mapEach(params.messages, mapSamplingMessage, map);
  return messages === params.messages ? params : { ...params, messages };
}

/** Maps the URI of the app that shows the results of a tool (SEP-1865), in the member of `_meta.ui` and in the older one. */
export function mapTool(tool: Tool, map: UriMap): Tool {
  const { _meta } = tool;
  if (!_meta) return tool;
  const { ui, [FLAT_RESOURCE_URI]: flat } = _meta;
  const uri = isObject(ui) ? ui["resourceUri"] : undefined;
  const changes: Record<string, unknown> = {};
  if (typeof uri === "string") {
    const resourceUri = map(uri);
    if (resourceUri !== uri) changes["ui"] = { ...(ui as object), resourceUri };
  }
  if (typeof flat === "string") {
    const resourceUri = map(flat);
    if (resourceUri !== flat) changes[FLAT_RESOURCE_URI] = resourceUri;
  }
  return Object.keys(changes).length === 0 ? tool : { ...tool, _meta: { ..._meta, ...changes } };
}

interface WithUri {
  uri: string;
}

/** Maps the items, and copies the list at the first change. `change` gets the map, so that a call makes no closure. */
function mapEach<Item>(items: readonly Item[], change: (item: Item, map: UriMap) => Item, map: UriMap): Item[] {
  let copy: Item[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item;
    const changed = change(item, map);
    if (changed !== item) (copy ??= items.slice())[at] = changed;
  }
  return copy ?? (items as Item[]);
}

function mapUri<Item extends WithUri>(item: Item, map: UriMap): Item {
  const uri = map(item.uri);
  return uri === item.uri ? item : { ...item, uri };
}

function mapBlock(block: ContentBlock, map: UriMap): ContentBlock {
  if (block.type === "resource_link") return mapUri(block, map);
  if (block.type !== "resource") return block;
  const resource = mapUri(block.resource, map);
  return resource === block.resource ? block : { ...block, resource };
}

function mapPromptMessage(message: PromptMessage, map: UriMap): PromptMessage {
  const content = mapBlock(message.content, map);
  return content === message.content ? message : { ...message, content };
}

function mapSamplingMessage(message: SamplingMessage, map: UriMap): SamplingMessage {
  const { content } = message;
  const mapped = Array.isArray(content) ? mapEach(content, mapSamplingBlock, map) : mapSamplingBlock(content, map);
  return mapped === content ? message : { ...message, content: mapped };
}

function mapSamplingBlock(block: SamplingMessageContentBlock, map: UriMap): SamplingMessageContentBlock {
  if (block.type !== "tool_result") return block;
  const content = mapEach(block.content, mapBlock, map);
  return content === block.content ? block : { ...block, content };
}
