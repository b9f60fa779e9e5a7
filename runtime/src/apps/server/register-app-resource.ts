import type { McpUiResourceMeta } from "@mcpwright/protocol/extensions/apps";
import type { InputResponses } from "../../authoring.js";
import type { InputRequired } from "../../input-requests/input-required.js";
import type { ServerContext } from "../../server/contracts.js";
import type { RegisteredItem } from "../../server/registry.js";
import type {
  ReadResourceCallback,
  ResourceConfig,
  ResourceOutcome,
  ResourceResult,
} from "../../server/resource-config.js";
import { isInputRequired } from "../../input-requests/input-required.js";
import { isObject } from "../../jsonrpc/guards.js";
import { APP_MIME_TYPE } from "../app-mime-type.js";
import { assertHasApps } from "./apps-extension.js";
import { assertAppUri, assertResourceMeta, invalid } from "./check-meta.js";
import type { AppServer } from "./register-app-tool.js";

/** The configuration of a resource with the HTML of an app. */
export interface AppResourceConfig extends Omit<ResourceConfig, "mimeType" | "_meta"> {
  /** Default: the only type that apps can have now. */
  readonly mimeType?: typeof APP_MIME_TYPE;
  readonly _meta?: AppResourceMeta;
}

/** The `_meta` of a resource with the HTML of an app. */
export interface AppResourceMeta extends Record<string, unknown> {
  /**
   * Which origins the app uses (`csp`), which permissions it asks for, its own origin (`domain`, in a form that the host specifies), and
   * whether it wants a border. Without `csp`, hosts let it reach no other origin.
   */
  readonly ui?: McpUiResourceMeta;
}

/** Returns the HTML of an app, or contents as callbacks of `registerResource` do. */
export type ReadAppCallback = (
  uri: URL,
  context: ServerContext,
  responses: InputResponses,
) => string | ResourceResult | InputRequired | Promise<string | ResourceOutcome>;

export interface AppResourceUpdate extends AppResourceConfig {
  readonly name?: string;
  readonly uri?: string;
  /** The HTML, or a function that returns it. */
  readonly html?: string | ReadAppCallback;
}

export type RegisteredAppResource = RegisteredItem<AppResourceUpdate>;

/**
 * Registers a resource with the HTML of an app, which hosts show in a frame. The description in lists, and contents that have no `_meta.ui` of
 * their own, get `_meta.ui` of the configuration and the MIME type of apps.
 * @example
 * ```ts
 * const _meta = { ui: { csp: { connectDomains: ["https://api.example.com"] }, prefersBorder: true } };
 * registerAppResource(server, "Chart", "ui://weather/chart", { _meta }, await readFile("chart.html", "utf8"));
 * ```
 * @param server has the extension `apps()`
 * @param uri begins with `ui://`
 * @param html an HTML5 document, or a function that returns one for each request
 * @throws SdkError `INVALID_CONFIGURATION` when the URI, the MIME type or `_meta.ui` is invalid, or the URI is already registered
 */
export function registerAppResource(
  server: AppServer,
  name: string,
  uri: string,
  config: AppResourceConfig,
  html: string | ReadAppCallback,
): RegisteredAppResource {
  assertHasApps(server.server, "registerAppResource");
  let current: AppResourceUpdate = { ...config, html };
  const registered = server.registerResource(name, uri, ...prepare(uri, current));
  const update = registered.update.bind(registered);
  return Object.assign(registered, {
    update: (changes: Partial<AppResourceUpdate>) => {
      const merged = { ...current, ...changes };
      const [metadata, callback] = prepare(merged.uri ?? uri, merged);
      update({ ...metadata, callback });
      current = merged;
    },
  });
}

function prepare(uri: string, update: AppResourceUpdate): [config: ResourceConfig, callback: ReadResourceCallback] {
  const { html, ...config } = update;
  const where = `resource ${JSON.stringify(uri)}`;
  assertAppUri("resource", uri);
  assertMimeType(where, config.mimeType);
  assertResourceMeta(where, config._meta?.ui);
  if (typeof html !== "string" && typeof html !== "function")
    throw invalid(`${where} has no HTML; call registerAppResource(server, name, uri, config, html)`);
  const read = typeof html === "string" ? () => html : html;
  return [
    { ...config, mimeType: APP_MIME_TYPE },
    async (url, context, responses) => completed(where, url, await read(url, context, responses), config._meta?.ui),
  ];
}

/** Adds to contents what those of an app need. */
function completed(
  where: string,
  { href }: URL,
  outcome: string | ResourceOutcome,
  ui: McpUiResourceMeta | undefined,
): ResourceOutcome {
  if (typeof outcome !== "string" && isInputRequired(outcome)) return outcome;
  const result: ResourceResult = typeof outcome === "string" ? { contents: [{ uri: href, text: outcome }] } : outcome;
  if (!isObject(result) || !Array.isArray(result.contents)) return result;
  const contents = result.contents.map((content) => {
    const { mimeType, _meta } = content;
    assertMimeType(where, mimeType);
    if (_meta?.["ui"] !== undefined) assertResourceMeta(where, _meta["ui"]);
    return { ...content, mimeType: APP_MIME_TYPE, ...(ui && { _meta: { ui, ..._meta } }) };
  });
  return { ...result, contents };
}

function assertMimeType(where: string, type: string | undefined): void {
  if (type !== undefined && type !== APP_MIME_TYPE)
    throw invalid(`${where}: the MIME type of apps is ${APP_MIME_TYPE}, not ${type}; leave mimeType out`);
}
