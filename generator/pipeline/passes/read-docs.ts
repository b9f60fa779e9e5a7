import { fail } from "../../shared/diagnostics/diagnostic.js";
import { findDeviation, type JsonStructure } from "../../shared/json/json-structure.js";
import { JsonLocations } from "../../shared/json/json-locations.js";

/** The project's doc texts by type, member path and revision. */
export interface Docs {
  /** The text of `type` (empty path) or of its member for `revision`. */
  text(type: string, path: string, revision: string): string | undefined;
}

type DocsFile = Readonly<Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>>;

const docsShape: JsonStructure = {
  map: { map: { oneOf: ["string", { map: "string" }], expected: "a string, or strings by revision" } },
};

/**
 * Reads `docs.json`: type -> member path -> one text, or texts by the revision from which they apply.
 * @param revisions known revisions, oldest first; an unknown one counts as newest
 * @throws DiagnosticError when the file has another structure
 */
export function readDocs(text: string, name: string, revisions: readonly string[]): Docs {
  const locations = new JsonLocations(text, name);
  let file: DocsFile;
  try {
    file = JSON.parse(text) as DocsFile;
  } catch (error) {
    return fail("docs-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
  const found = findDeviation(file, docsShape);
  if (found)
    fail(
      "docs-malformed",
      { reason: `${found.path.join(" > ")}: expected ${found.expected}` },
      locations.locate(found.path),
    );
  return {
    text(type, path, revision) {
      const entry = Object.hasOwn(file, type) ? file[type] : undefined;
      const texts = entry && Object.hasOwn(entry, path) ? entry[path] : undefined;
      if (texts === undefined || typeof texts === "string") return texts;
      const rank = (id: string): number => (revisions.includes(id) ? revisions.indexOf(id) : revisions.length);
      const from = Object.keys(texts).filter((id) => rank(id) <= rank(revision));
      const latest = from.sort((a, b) => rank(a) - rank(b)).at(-1);
      return latest === undefined ? undefined : texts[latest];
    },
  };
}

export const noDocs: Docs = { text: () => undefined };
