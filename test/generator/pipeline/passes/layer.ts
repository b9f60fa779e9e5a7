import type { ExtensionOverlayFile } from "../../../../generator/shared/model/extension.js";
import { effectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { readExtensionOverlay } from "../../../../generator/pipeline/overlay/extension-overlay.js";
import { buildExtension, type BuiltExtension } from "../../../../generator/pipeline/passes/build-extension.js";
import { buildModel } from "../../../../generator/pipeline/passes/build-model.js";
import { noDocs } from "../../../../generator/pipeline/passes/read-docs.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { profile } from "./build.js";

/** A small revision `r1` with a tagged result, a request that opens a stream, and input requests. */
export const baseSchema = `
  interface Result { resultType: string; [key: string]: unknown }
  interface RequestParams { _meta: { trace?: string } }
  interface Item { name: string }
  interface Request { method: string; params?: { [key: string]: unknown } }
  interface CallRequest extends Request { method: "call"; params: CallRequestParams }
  interface CallRequestParams extends RequestParams { name: string }
  interface CallResult extends Result { items: Item[] }
  interface AskResult extends Result { question?: string }
  type CallResultResponse = { result: CallResult | AskResult };
  interface ListenRequest extends Request { method: "listen"; params: { filter: { all?: boolean } } }
  interface ListenResult extends Result {}
  interface OpenedNotification { method: "opened"; params: { filter: { all?: boolean } } }
  interface ClientCapabilities { tools?: {} }
  type ClientRequest = CallRequest | ListenRequest;
  type ServerNotification = OpenedNotification;
`;

const spec = "x";
const baseOverlay = {
  profile,
  resultTag: {
    member: "resultType",
    own: "complete",
    alternatives: { ask: { type: "AskResult", atLeastOneOf: [] } },
    spec,
  },
  methods: {
    client: {
      call: { capability: null, spec },
      listen: { capability: null, stream: { acknowledged: "opened" }, spec },
    },
    server: { opened: { capability: null, spec } },
  },
  capabilities: { client: { tools: { spec } } },
};

/** The overlay of `com.example/rank` with these members. */
export function rankOverlay(members: Partial<ExtensionOverlayFile> = {}): ExtensionOverlayFile {
  return { id: "com.example/rank", over: ["r1"], ...members };
}

/** Lays `schema` (`x.ts`) with an overlay (`overlay.json`) over the small revision. */
export function layer(schema: string, overlay = rankOverlay(), base = baseSchema): BuiltExtension {
  const module = readTypeScript(base, "base.ts");
  const effective = effectiveOverlay("r1", [{ revision: "r1", file: "r1.json", text: JSON.stringify(baseOverlay) }]);
  const { model } = buildModel(module, "r1", effective, noDocs);
  const text = JSON.stringify(overlay, null, 1);
  return buildExtension(readTypeScript(schema, "x.ts"), readExtensionOverlay(text, "overlay.json"), {
    model,
    module,
    overlay: effective,
    docs: noDocs,
  });
}
