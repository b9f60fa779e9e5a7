import type { ExtensionOverlayFile } from "../../../../generator/shared/model/extension.js";
import type { SourceModule } from "../../../../generator/shared/model/source.js";
import { effectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { readExtensionOverlay } from "../../../../generator/pipeline/overlay/extension-overlay.js";
import { buildExtension, type BuiltExtension } from "../../../../generator/pipeline/passes/build-extension.js";
import { buildModel } from "../../../../generator/pipeline/passes/build-model.js";
import { noDocs } from "../../../../generator/pipeline/passes/read-docs.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
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

/**
 * Lays `schema` (`x.ts`) with an overlay (`overlay.json`) over the small revision.
 * @param files the files that the schema imports, by specifier; each is read under its specifier
 */
export function layer(
  schema: string,
  overlay = rankOverlay(),
  base = baseSchema,
  files: Readonly<Record<string, string>> = {},
): BuiltExtension {
  return layerModule(readTypeScript(schema, "x.ts"), overlay, base, files);
}

/** The same for the definitions of a JSON Schema (`x.json`). */
export function layerJson(definitions: object, overlay = rankOverlay(), base = baseSchema): BuiltExtension {
  return layerModule(readJsonSchema(JSON.stringify({ $defs: definitions }), "x.json"), overlay, base, {});
}

function layerModule(
  written: SourceModule,
  overlay: ExtensionOverlayFile,
  base: string,
  files: Readonly<Record<string, string>>,
): BuiltExtension {
  const module = readTypeScript(base, "base.ts");
  const effective = effectiveOverlay("r1", [{ revision: "r1", file: "r1.json", text: JSON.stringify(baseOverlay) }]);
  const { model } = buildModel(module, "r1", effective, noDocs);
  const text = JSON.stringify(overlay, null, 1);
  const modules = new Map(Object.entries(files).map(([file, other]) => [file, readTypeScript(other, file)]));
  return buildExtension(
    written,
    readExtensionOverlay(text, "overlay.json"),
    { model, module, overlay: effective, docs: noDocs },
    (specifier) => modules.get(specifier),
  );
}
