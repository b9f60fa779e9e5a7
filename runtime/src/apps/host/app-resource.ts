import { isMcpUiResourceMeta, type McpUiResourceMeta } from "@mcpwright/protocol/extensions/apps";
import type { ReadResourceResult } from "../../authoring.js";
import { toError } from "../../jsonrpc/error-conversion.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import { normalUri } from "../../rules/uris.js";
import { APP_MIME_TYPE } from "../app-mime-type.js";
import { isAppUri } from "../tool-link.js";
import { checkedCsp } from "./content-policy.js";

/** The HTML of an app, and what its server says about it. */
export interface AppResource {
  readonly uri: string;
  readonly html: string;
  /** `_meta.ui` of the resource, checked. */
  readonly meta: McpUiResourceMeta;
}

/** The part of a client that reads resources. */
export interface ResourceReader {
  readResource(
    params: { readonly uri: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadResourceResult>;
}

/**
 * Reads an app from its server, and checks it.
 * @param uri the `resourceUri` of a tool, see `toolApp`
 * @throws SdkError `INVALID_RESULT` with the reason when the resource is not an app; errors of the client
 */
export async function readApp(client: ResourceReader, uri: string): Promise<AppResource> {
  const invalid = (problem: string, cause?: unknown): SdkError =>
    new SdkError("INVALID_RESULT", `the resource ${uri} is not an app: ${problem}`, undefined, { cause });
  if (!isAppUri(uri)) throw invalid("its URI does not begin with ui://");
  const { contents } = await client.readResource({ uri });
  const normal = normalUri(uri);
  const found = contents.find((part) => normalUri(part.uri) === normal);
  if (!found) throw invalid("the server sent other resources");
  // Parameters can have spaces around them, and types any case (RFC 9110, section 8.3.1).
  const type = (found.mimeType ?? "").toLowerCase().replaceAll(/\s/g, "");
  if (type !== APP_MIME_TYPE) throw invalid(`its type is ${found.mimeType ?? "not stated"}, not ${APP_MIME_TYPE}`);
  const { ui = {} } = isObject(found._meta) ? found._meta : {};
  if (!isMcpUiResourceMeta(ui)) throw invalid("_meta.ui does not match the schema");
  try {
    if (ui.csp) checkedCsp(ui.csp);
    return { uri, html: "text" in found ? found.text : decoded(found.blob), meta: ui };
  } catch (error) {
    throw invalid(toError(error).message, error);
  }
}

function decoded(blob: string): string {
  const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
