import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { SourceModule } from "../../shared/model/source.js";

/** `com.example/ranking` in a text, but not as a part of a URL or path. */
const idInText = /(?<![\w/:.@-])[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+\/[a-z\d](?:[\w.-]*[a-z\d])?(?![\w/])/gi;

/**
 * The id of the extension that a schema states in its comments or constants. Keys of `_meta` look like ids; constants with
 * "META" in their names contain them.
 * @throws DiagnosticError extension-id-unstated when there is none, or more than one
 */
export function extensionIdOf(text: string, module: SourceModule): string {
  const keys = new Set(
    module.declarations.flatMap((declaration) =>
      declaration.kind === "constant" && declaration.name.includes("META") ? [declaration.value] : [],
    ),
  );
  const found = [...new Set(text.match(idInText) ?? [])].filter((id) => !keys.has(id));
  const [id, ...more] = found;
  if (id !== undefined && more.length === 0) return id;
  const { file } = module;
  const states = id === undefined ? "does not state an id" : `states ${found.length} ids: ${found.join(", ")}`;
  return fail("extension-id-unstated", { path: file, states });
}
