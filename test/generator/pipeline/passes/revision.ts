import type { SourceModule } from "../../../../generator/shared/model/source.js";
import type { BuiltModel } from "../../../../generator/pipeline/passes/build-model.js";
import { readModel } from "../../../../generator/pipeline/read-model.js";
import {
  knownRevisions,
  readDocsText,
  readKnown,
  readOverlays,
} from "../../../../generator/shared/sources/schema-folder.js";

export const revisions = knownRevisions();

/** The declarations and the model of a revision in `schema/`. */
export async function readRevision(revision: string): Promise<BuiltModel & { readonly module: SourceModule }> {
  const [schema, overlays, docs] = await Promise.all([readKnown(revision), readOverlays(), readDocsText()]);
  return readModel({ revision, schema, overlays, docs });
}
