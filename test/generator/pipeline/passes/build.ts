import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { profileFields } from "../../../../generator/shared/model/profile.js";
import type { ProtocolModel } from "../../../../generator/shared/model/protocol.js";
import { effectiveOverlay } from "../../../../generator/pipeline/overlay/effective-overlay.js";
import { buildModel } from "../../../../generator/pipeline/passes/build-model.js";
import { noDocs, type Docs } from "../../../../generator/pipeline/passes/read-docs.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { line } from "../../shared/diagnostics/problems.js";

export const spec = "x";

/** Every profile field with a valid value, so that none is a finding. */
export const profile = Object.fromEntries(
  profileFields.map(({ name, type }) => {
    const value =
      type === "boolean" ? true : type === "integer" ? 1 : type === "string | null" ? null : (type[0] ?? "");
    return [name, { value, spec }];
  }),
);

/** A request, so that schemas for other tests have a role union. */
export const ping =
  'interface PingRequest { method: "ping" } interface PingResult {} type ClientRequest = PingRequest;';

/** The overlay's entry for `ping`. */
export const pingMethods = { client: { ping: { capability: null, spec } } };

export interface Inputs {
  /** The overlay of revision `r2`; one without `profile` states every field. */
  readonly own?: OverlayFile;
  /** The overlay of the older revision `r1`, which `own` extends. */
  readonly older?: OverlayFile;
  readonly docs?: Docs;
}

export interface Built {
  readonly model: ProtocolModel;
  /** `file:line:column id: message` of each. */
  readonly findings: readonly string[];
}

/** The model of revision `r2`, from TypeScript (`s.ts`) or JSON Schema (`s.json`). */
export function build(
  schema: string | { readonly definitions: object },
  { own, older, docs = noDocs }: Inputs = {},
): Built {
  const module =
    typeof schema === "string" ? readTypeScript(schema, "s.ts") : readJsonSchema(JSON.stringify(schema), "s.json");
  const files: [revision: string, file: OverlayFile | undefined][] = [
    ["r1", older && { profile, ...older }],
    ["r2", own && { ...(older ? { extends: "r1" } : { profile }), ...own }],
  ];
  const texts = files.flatMap(([revision, file]) =>
    file ? [{ revision, file: `${revision}.json`, text: JSON.stringify(file, null, 1) }] : [],
  );
  const { model, findings } = buildModel(module, "r2", effectiveOverlay("r2", texts), docs);
  return { model, findings: findings.map(line) };
}
