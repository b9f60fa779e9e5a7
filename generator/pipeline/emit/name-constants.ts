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
 * `names.ts`: a constant per method and per `_meta` key that any revision has.
 * @throws DiagnosticError name-collision when two constants would have the same name
 */
export function emitNames(models: readonly ProtocolModel[], locate?: Locate): readonly Code[] {
  const constants = [...methodConstants(models), ...metaKeyConstants(models)];
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

function methodConstants(models: readonly ProtocolModel[]): readonly NameConstant[] {
  const sent = revisionsByName(models, ({ requests, notifications }) =>
    [...requests, ...notifications].map(({ method }) => method),
  );
  const embedded = revisionsByName(models, ({ inputRequests }) => inputRequests.map(({ method }) => method));
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
function metaKeyConstants(models: readonly ProtocolModel[]): readonly NameConstant[] {
  const keys = revisionsByName(models, ({ metaKeys }) => metaKeys);
  return metaKeyNames([...keys.keys()]).map(([name, key]) => ({
    name: `META_${constantCase(name)}`,
    value: key,
    text: `Key of \`_meta\` in ${list(keys.get(key))}.`,
  }));
}

function revisionsByName(
  models: readonly ProtocolModel[],
  namesOf: (model: ProtocolModel) => readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const model of models)
    for (const name of namesOf(model)) found.set(name, (found.get(name) ?? new Set()).add(model.revision));
  return found;
}

function list(revisions: Iterable<string> = []): string {
  return [...revisions].join(", ");
}
