import { digestsByName } from "../../shared/fidelity/digest.js";
import { applyLossyRules, lossyRules } from "../../shared/fidelity/lossy-rules.js";
import { zodRules } from "../../shared/fidelity/zod-rules.js";
import type { SourceModule } from "../../shared/model/source.js";
import type { ResolveImport } from "./link-imports.js";

/**
 * REPEATED: leaves out the declarations of a schema that the revision has, too, with the same facts: they mean the types
 * of the revision. A JSON Schema has to repeat them, and some schemas have a copy of the revision's file beside them.
 * In JSON Schema, facts are also the same when they are those that the official printers leave of the revision's type.
 */
export function withoutRepeated(module: SourceModule, revision: SourceModule): SourceModule {
  const names = new Set(revision.declarations.map(({ name }) => name));
  if (!module.declarations.some(({ name }) => names.has(name))) return module;
  const digests = digestsByName(module);
  const same = [revision, ...(module.syntax === "json-schema" ? printed(revision) : [])].map(digestsByName);
  const declarations = module.declarations.filter(
    ({ name }) => !same.some((digestOf) => Object.hasOwn(digestOf, name) && digestOf[name] === digests[name]),
  );
  return declarations.length === module.declarations.length ? module : { ...module, declarations };
}

/** The name of the revision in the imports of files that repeat some of its declarations. */
const theRevision = "\0revision";

/**
 * Finds the files of imports: those that `resolve` finds, without what they repeat of the revision, and otherwise the
 * revision.
 */
export function overRevision(revision: SourceModule, resolve: ResolveImport): ResolveImport {
  const known = new Map<SourceModule, SourceModule>();
  return (specifier, from) => {
    if (from === revision) return undefined;
    const file = specifier === theRevision ? undefined : resolve(specifier, from);
    if (!file) return revision;
    const found = known.get(file) ?? importing(withoutRepeated(file, revision), file);
    known.set(file, found);
    return found;
  };
}

/** What a file no longer declares, it imports from the revision. */
function importing(rest: SourceModule, { file, imports = [] }: SourceModule): SourceModule {
  const all = { name: "*", local: "*", specifier: theRevision, span: { file, line: 1, column: 1 } };
  return { ...rest, imports: [...imports, all] };
}

/** The declarations as the printers of the specification and of the official extensions print them. */
function printed(revision: SourceModule): readonly SourceModule[] {
  return [lossyRules, zodRules].map((rules) => applyLossyRules(revision, rules).module);
}
