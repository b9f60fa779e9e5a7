import type { SourceModule } from "../../../generator/model/source.js";
import type { BuiltModel } from "../../../generator/passes/build-model.js";
import { readModel } from "../../../generator/sources/read-model.js";
import { knownRevisions, readDocsText, readKnown, readOverlays } from "../../../generator/sources/schema-folder.js";

export const revisions = knownRevisions();

/** The declarations and the model of a revision in `schema/`. */
export async function readRevision(revision: string): Promise<BuiltModel & { readonly module: SourceModule }> {
  const [schema, overlays, docs] = await Promise.all([readKnown(revision), readOverlays(), readDocsText()]);
  return readModel({ revision, schema, overlays, docs });
}
