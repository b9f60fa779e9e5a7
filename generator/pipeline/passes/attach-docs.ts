import type { DeprecationFact } from "../../shared/model/overlay.js";
import { mapEntries } from "../../shared/model/definitions.js";
import type { Definition, Deprecation, MemberModel, TypeModel } from "../../shared/model/protocol.js";
import { linkTo, type EffectiveOverlay, type Entry } from "../overlay/effective-overlay.js";
import type { Docs } from "./read-docs.js";
import type { DiagnosticCollector } from "./diagnostic-collector.js";
import type { Scope } from "./scope.js";

/** DOCUMENT: texts, deprecations and specification links for every definition and member. */
export function attachDocs(
  definitions: readonly Definition[],
  revision: string,
  docs: Docs,
  overlay: EffectiveOverlay,
  collector: DiagnosticCollector,
  scope: Scope,
): Definition[] {
  const sections = readSections(overlay);
  const covers = readCovers(overlay);
  const matched = new Set<Pattern>();
  const find = (patterns: readonly Pattern[], name: string): Pattern | undefined => {
    const found = patterns.find(({ pattern }) => matches(pattern, name));
    if (found) {
      collector.use(found.entry);
      matched.add(found);
    }
    return found;
  };
  const deprecation = (path: string, tagged: Deprecation | undefined): Deprecation | undefined => {
    const cover = find(covers, path);
    if (!tagged && !cover) return undefined;
    if (!cover && tagged?.text === "")
      collector.finding("deprecation-unstated", { name: path }, scope.get(path.split(".")[0] ?? path)?.span);
    const { since, removalNotBefore, instead } = cover?.fact ?? {};
    const text = tagged?.text !== undefined && tagged.text !== "" ? tagged.text : (instead ?? "Deprecated.");
    return { text, ...(since !== undefined && { since }), ...(removalNotBefore !== undefined && { removalNotBefore }) };
  };

  const member = (found: MemberModel, owner: string, path: string): MemberModel => {
    const { deprecated: tagged, ...rest } = found;
    // An inherited member is documented where it is declared, under that type's name.
    const [declaredBy, at] = found.inheritedFrom === undefined ? [owner, path] : [found.inheritedFrom, found.name];
    const text = found.text ?? docs.text(owner, path, revision) ?? docs.text(declaredBy, at, revision);
    const deprecated = deprecation(`${declaredBy}.${at}`, tagged);
    return {
      ...rest,
      type: inner(found.type, declaredBy, at),
      ...(text !== undefined && { text }),
      ...(deprecated && { deprecated }),
    };
  };
  const inner = (type: TypeModel, owner: string, path: string): TypeModel => {
    switch (type.kind) {
      case "struct":
        return { ...type, members: type.members.map((found) => member(found, owner, `${path}.${found.name}`)) };
      case "array":
        return { ...type, items: inner(type.items, owner, path) };
      case "map":
        return { ...type, values: inner(type.values, owner, path) };
      case "union":
      case "all":
        return { ...type, members: type.members.map((found) => inner(found, owner, path)) };
      case "entries":
        return mapEntries(type, (found) => inner(found, owner, path));
      default:
        return type;
    }
  };

  const documented = definitions.map((definition) => {
    const { deprecated: tagged, ...rest } = definition;
    const text = definition.text ?? docs.text(definition.name, "", revision);
    const deprecated = deprecation(definition.name, tagged);
    const section = find(sections, definition.name);
    const prose = {
      ...(text !== undefined && { text }),
      ...(deprecated && { deprecated }),
      ...(section && { link: linkTo(overlay, section.page ?? "") }),
    };
    if (rest.kind === "alias") return { ...rest, ...prose, type: inner(rest.type, definition.name, "") };
    return { ...rest, ...prose, members: rest.members.map((found) => member(found, definition.name, found.name)) };
  });
  // Entries without any match are reported as a whole, with those of the other tables.
  for (const pattern of [...sections, ...covers])
    if (!matched.has(pattern) && collector.isUsed(pattern.entry)) collector.stale(pattern.entry, pattern.label);
  return documented;
}

/** A name that an overlay entry lists, or the beginning of names before `*`. */
interface Pattern {
  readonly pattern: string;
  readonly label: string;
  readonly entry: Entry<unknown>;
  readonly page?: string;
  readonly fact?: DeprecationFact;
}

/** Exact names come before patterns, longer patterns before shorter ones. */
function readSections(overlay: EffectiveOverlay): readonly Pattern[] {
  return ranked(
    [...overlay.sections].flatMap(([page, entry]) =>
      entry.value.map((pattern) => ({ page, pattern, label: `sections.${page}: ${pattern}`, entry })),
    ),
  );
}

function readCovers(overlay: EffectiveOverlay): readonly Pattern[] {
  return ranked(
    [...overlay.deprecated].flatMap(([feature, entry]) =>
      entry.value.covers.map((pattern) => ({
        fact: entry.value,
        pattern,
        label: `deprecated.${feature}: ${pattern}`,
        entry,
      })),
    ),
  );
}

function ranked(patterns: readonly Pattern[]): readonly Pattern[] {
  const rank = ({ pattern }: Pattern): number => (pattern.endsWith("*") ? pattern.length : Number.MAX_SAFE_INTEGER);
  return [...patterns].sort((a, b) => rank(b) - rank(a));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
