import type { ExtensionModel } from "../../shared/model/extension.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import { binding, code, docComment, literal, type Code } from "../../shared/code/code.js";
import { constantName, constantCase } from "../../shared/names/case.js";
import { rejectDuplicates, type Locate } from "./reserved-names.js";
import { metaKeyNames } from "./profile-and-constants.js";

interface NameConstant {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

/**
 * `names.ts`: a constant per method and per `_meta` key that any revision or extension has.
 * @throws DiagnosticError name-collision when two constants would have the same name
 */
export function emitNames(
  models: readonly ProtocolModel[],
  extensions: readonly ExtensionModel[],
  locate?: Locate,
): readonly Code[] {
  const constants = [...methodConstants(models, extensions), ...metaKeyConstants(models, extensions)];
  const typeOf = (value: string): string =>
    models
      .flatMap(({ requests, notifications }) => [...requests, ...notifications])
      .find(({ method }) => method === value)?.type ?? value;
  rejectDuplicates(
    constants.map(({ name, value }) => [name, value]),
    locate && ((value) => locate(typeOf(value))),
  );
  return constants.map(
    ({ name, value, text }) => code`${docComment({ text })}export const ${binding(name)} = ${literal(value)};`,
  );
}

function methodConstants(
  models: readonly ProtocolModel[],
  extensions: readonly ExtensionModel[],
): readonly NameConstant[] {
  const methodsOf = ({
    requests,
    notifications,
  }: Pick<ProtocolModel, "requests" | "notifications">): readonly string[] =>
    [...requests, ...notifications].map(({ method }) => method);
  const sent = placesByName([...revisions(models, methodsOf), ...ofExtensions(extensions, methodsOf)]);
  const embedded = placesByName(revisions(models, ({ inputRequests }) => inputRequests.map(({ method }) => method)));
  const methods = [...new Set([...sent.keys(), ...embedded.keys()])].sort();
  return methods.map((method) => {
    const places = [
      ...(sent.has(method) ? [`Method in ${list(sent.get(method))}.`] : []),
      ...(embedded.has(method) ? [`Embedded in results in ${list(embedded.get(method))}.`] : []),
    ];
    const stated = models.findLast(({ methodNames }) => Object.hasOwn(methodNames ?? {}, method))?.methodNames?.[
      method
    ];
    return { name: stated ?? constantName(method), value: method, text: places.join(" ") };
  });
}

/**
 * In the order in which the revisions introduce the keys, so that a newer revision never renames an older key's
 * constant.
 */
function metaKeyConstants(
  models: readonly ProtocolModel[],
  extensions: readonly ExtensionModel[],
): readonly NameConstant[] {
  const keys = placesByName([
    ...revisions(models, ({ metaKeys }) => metaKeys),
    ...ofExtensions(extensions, ({ metaKeys }) => metaKeys),
  ]);
  return metaKeyNames([...keys.keys()]).map(([name, key]) => ({
    name: `META_${constantCase(name)}`,
    value: key,
    text: `Key of \`_meta\` in ${list(keys.get(key))}.`,
  }));
}

/** A revision, or the id of an extension, and the names that it has. */
type Place = readonly [place: string, names: readonly string[]];

function revisions(
  models: readonly ProtocolModel[],
  namesOf: (model: ProtocolModel) => readonly string[],
): readonly Place[] {
  return models.map((model) => [model.revision, namesOf(model)]);
}

function ofExtensions(
  extensions: readonly ExtensionModel[],
  namesOf: (model: ExtensionModel) => readonly string[],
): readonly Place[] {
  return extensions.map((model) => [model.extension, namesOf(model)]);
}

function placesByName(places: readonly Place[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [place, names] of places)
    for (const name of names) found.set(name, (found.get(name) ?? new Set()).add(place));
  return found;
}

function list(places: Iterable<string> = []): string {
  return [...places].join(", ");
}
