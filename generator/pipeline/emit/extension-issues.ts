import { binding, code, data, join, literal, typeName, type Code } from "../../shared/code/code.js";
import type { ExtensionModel } from "../../shared/model/extension.js";
import type { ProtocolModel, Side } from "../../shared/model/protocol.js";
import { upperFirst } from "../../shared/names/case.js";
import { roleNames, valueNames } from "./extension-methods.js";
import { issuesView } from "./issues.js";
import { isFurther, shapeTable } from "./shape-table.js";

/**
 * `issues.ts` and `standard-schema.ts` of an extension. They have rows of their own, so that they do not depend on the other
 * extensions and revisions of the folder.
 * @param combined the model of the extension together with the types of its revision
 */
export function emitExtensionIssues(model: ExtensionModel, combined: ProtocolModel) {
  const own = model.definitions.map(({ name }) => name);
  const finders = shapesOfPredicates(model);
  const table = shapeTable([combined], () => [...own, ...finders.flatMap(({ types }) => types)]);
  const { checks, keepers } = issuesView({ ...combined, definitions: model.definitions }, table, code`, table`);
  const row = (type: string): Code => literal(table.index(combined.revision, type));
  return {
    rows: table.rows.map(data),
    further: table.rows.some(isFurther),
    checks,
    keepers,
    schemas: own.map(
      (name) =>
        code`export const ${binding(`${name}Schema`)}: StandardSchema<types.${typeName(name)}> = /* @__PURE__ */ standardSchemaOf(is.${binding(`is${name}`)}, ${binding(`check${name}`)});`,
    ),
    checkNames: own.map((name) => binding(`check${name}`)),
    id: literal(model.extension),
    finder: binding(`find${upperFirst(valueNames(model).stem)}Issues`),
    shapes: finders.map(({ predicate, types }) => code`[${predicate}, [${join(types.map(row), ", ")}]]`),
    imports: [...new Set(finders.map(({ from }) => from))].sort().map(binding),
  };
}

interface Finder {
  /** An expression that is the predicate. */
  readonly predicate: Code;
  /** The exported value in which the expression begins. */
  readonly from: string;
  /** The types that a valid value fits. */
  readonly types: readonly string[];
}

/** The types of all predicates in the rows of an extension. */
function shapesOfPredicates(model: ExtensionModel): readonly Finder[] {
  const { requests, notifications, results, settings, commonParams } = model;
  const roles = roleNames(model);
  const peer = (side: Side): Side => (side === "client" ? "server" : "client");
  const found: Finder[] = [];
  const add = (from: string, path: Code, types: readonly (string | undefined)[]): void => {
    const known = types.filter((type) => type !== undefined);
    if (known.length > 0) found.push({ from, predicate: code`${binding(from)}${path}`, types: known });
  };
  for (const { method, sender, params, result } of requests) {
    const at = code`.receives.requests[${literal(method)}]`;
    add(roles[peer(sender)], code`${at}?.params`, [commonParams.request, params]);
    if (sender === "server") add(roles.client, code`${at}?.answer`, [result.type]);
    add(roles[sender], code`.receives.results[${literal(method)}]?.result`, [result.type]);
  }
  for (const { method, sender, params } of notifications)
    add(roles[peer(sender)], code`.receives.notifications[${literal(method)}]?.params`, [
      commonParams.notification,
      params,
    ]);
  const { valueName } = valueNames(model);
  for (const { method, tag, type } of results)
    add(valueName, code`.alternatives[${literal(method)}]?.[${literal(tag)}]?.result`, [type]);
  for (const side of ["client", "server"] as const) add(`${side}Role`, code`.settings`, [settings[side] ?? undefined]);
  return found;
}
