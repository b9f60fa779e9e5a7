import { diffModels } from "../../../../generator/commands/diff/diff-models.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { build, spec } from "../../pipeline/passes/build.js";

export const methods = { client: { do: { capability: null, spec } } } as const;
export const base = `
  interface DoRequest { method: "do"; params: Params }
  interface DoResult { done?: boolean }
  interface ClientCapabilities { fast?: boolean }
  interface ServerCapabilities {}
  type ClientRequest = DoRequest;
`;
const capabilities = { client: { fast: { spec } } };

/** Findings between two schemas. */
export function found(
  older: string,
  newer: string,
  facts: readonly [older: OverlayFile, newer: OverlayFile] = [{}, {}],
) {
  const [r1, r2] = [older, newer].map((declarations, index) => {
    const own = { methods, capabilities, ...facts[index] };
    const schema = /\btype ClientRequest\b/.test(declarations) ? declarations : base + declarations;
    return build(schema, { own }).model;
  });
  if (!r1 || !r2) throw new Error("two schemas make two models");
  return diffModels({ ...r1, revision: "old" }, { ...r2, revision: "new" });
}

/** What is asked for, and further declarations. */
export const params = (members: string, more = ""): string => `interface Params { ${members} } ${more}`;
