import { isObject } from "../jsonrpc/guards.js";

/** The member of `_meta` that older hosts read instead of `ui.resourceUri`. */
export const FLAT_RESOURCE_URI = "ui/resourceUri";

/** What a tool says about apps. */
export interface ToolApp {
  /** The URI of the resource with the app that shows the results of the tool; undefined if there is none. */
  readonly resourceUri: string | undefined;
  /** Whether the model can see and call the tool. A host must leave other tools out of the model's list. */
  readonly isForModel: boolean;
  /** Whether apps of the same server can call the tool. A host must reject `tools/call` of apps for other tools. */
  readonly isForApps: boolean;
}

/**
 * Reads which app shows the results of a tool, and who may call it, from `_meta.ui` of a listed tool (SEP-1865, resource discovery).
 *
 * A `visibility` that is not an array has no effect, like a missing one: the tool is for both. A URI that does not begin with `ui://` is
 * not returned.
 * @example
 * ```ts
 * const { tools } = await client.listTools();
 * const forModel = tools.filter((tool) => toolApp(tool).isForModel);
 * ```
 */
export function toolApp({ _meta }: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }): ToolApp {
  const ui = isObject(_meta?.["ui"]) ? _meta["ui"] : {};
  const { visibility } = ui;
  const uri = ui["resourceUri"] ?? _meta?.[FLAT_RESOURCE_URI];
  const isFor = (who: string): boolean => !Array.isArray(visibility) || visibility.includes(who);
  return { resourceUri: isAppUri(uri) ? uri : undefined, isForModel: isFor("model"), isForApps: isFor("app") };
}

/** Whether a value is the URI of an app. */
export function isAppUri(value: unknown): value is string {
  return typeof value === "string" && /^ui:\/\/./.test(value);
}
