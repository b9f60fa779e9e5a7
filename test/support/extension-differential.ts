/** Compares the predicates of the extensions with ajv, on seeded random instances of every definition. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { correctExtension, importedTypes, printerRules } from "./extension-corrections.js";
import { judge, judgeRound, type Subject, type Verdicts } from "./judge.js";
import { publishedExtensions, publishedRevision, readGenerated, type PublishedExtension } from "./protocol.js";
import { randomInstances } from "./random-instances.js";

type Definitions = Readonly<Record<string, unknown>>;

/** The definitions of the official schema.json, by the name of the extension. */
export type OfficialDefinitions = ReadonlyMap<string, Definitions>;

export interface ExtensionVerdicts extends Verdicts {
  readonly name: string;
  /** The schema.json that ajv compiled: the one that we print, or the official one, corrected. */
  readonly reference: "ours" | "official";
}

/** Checks `perDefinition` instances of every definition by our own schema.json, and by the official ones that are passed. */
export function extensionDifferential(
  seed: string,
  perDefinition: number,
  official: OfficialDefinitions = new Map(),
): readonly ExtensionVerdicts[] {
  return publishedExtensions.flatMap((extension) => {
    const { name } = extension;
    const ours = { name, reference: "ours", ...judge(ourSubject(extension), seed, perDefinition) } as const;
    const theirs = official.get(name);
    if (!theirs) return [ours];
    return [
      ours,
      { name, reference: "official", ...judge(officialSubject(extension, theirs), seed, perDefinition) } as const,
    ];
  });
}

/** The ids of the rules that correct nothing in any of the official files. */
export function unusedRules(official: OfficialDefinitions): readonly string[] {
  const applied = publishedExtensions.flatMap(({ name, model }) => {
    const theirs = official.get(name);
    return theirs ? correctExtension(theirs, coreOf(model.base), importedTypes[name]).applied : [];
  });
  return printerRules.map(({ id }) => id).filter((id) => !applied.includes(id));
}

/** Whether a seed is that of a round of an extension. */
export function isOfExtension(seed: string): boolean {
  return extensionOf(seed) !== undefined;
}

function extensionOf(seed: string): PublishedExtension | undefined {
  const [, id = ""] = seed.split("/");
  return publishedExtensions.find(({ name }) => id.startsWith(`${name}-`));
}

/** Checks one round again, by the seed that a disagreement printed. */
export function replayExtension(seed: string, official: OfficialDefinitions = new Map()): string | undefined {
  const [, id, name = ""] = seed.split("/");
  const extension = extensionOf(seed);
  if (!extension) throw new Error(`${seed} does not name an extension`);
  if (id === idOf(extension, "ours")) return judgeRound(ourSubject(extension), name, seed).disagreement;
  const theirs = official.get(extension.name);
  if (!theirs) throw new Error(`the official schema.json of ${extension.name} is not here`);
  return judgeRound(officialSubject(extension, theirs), name, seed).disagreement;
}

function ourSubject(extension: PublishedExtension): Subject {
  const { $defs } = readGenerated(`extensions/${extension.name}/schema.json`) as { readonly $defs: Definitions };
  return subject(extension, "ours", $defs);
}

function officialSubject(extension: PublishedExtension, definitions: Definitions): Subject {
  const { name, model } = extension;
  const { definitions: corrected } = correctExtension(definitions, coreOf(model.base), importedTypes[name]);
  return subject(extension, "official", corrected);
}

function coreOf(revision: string): Definitions {
  return (readGenerated(`${revision}/schema.json`) as { readonly $defs: Definitions }).$defs;
}

function subject(
  extension: PublishedExtension,
  reference: ExtensionVerdicts["reference"],
  $defs: Definitions,
): Subject {
  const { entry, issues, model } = extension;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $defs }, "schema");
  const base = publishedRevision(model.base).model;
  return {
    id: idOf(extension, reference),
    names: model.definitions.map(({ name }) => name).filter((name) => Object.hasOwn($defs, name)),
    make: randomInstances({ ...base, definitions: [...base.definitions, ...model.definitions] }),
    entry,
    issues,
    validate: (name, value) => ajv.getSchema(`schema#/$defs/${name}`)?.(value) === true,
  };
}

function idOf({ name }: PublishedExtension, reference: ExtensionVerdicts["reference"]): string {
  return `${name}-${reference}`;
}
