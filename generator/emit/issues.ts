import type { ProtocolModel } from "../model/protocol.js";
import { isPropertyName } from "../names/identifier.js";
import { binding, code, data, docComment, literal, typeName, type Code } from "./code.js";
import { upperFirst } from "./names.js";
import { shapeTable, type ShapeTable } from "./shape-table.js";

export interface IssuesView {
  readonly checks: readonly Code[];
  readonly keepers: readonly Code[];
}

/** The rows of `shapes.ts`, and for each revision the functions of its `issues.ts` that refer to them. */
export function emitIssues(models: readonly ProtocolModel[]): {
  readonly rows: readonly Code[];
  readonly revisions: ReadonlyMap<string, IssuesView>;
} {
  const table = shapeTable(models);
  return {
    rows: table.rows.map(data),
    revisions: new Map(models.map((model) => [model.revision, issuesView(model, table)])),
  };
}

function issuesView(model: ProtocolModel, table: ShapeTable): IssuesView {
  const row = (name: string): Code => literal(table.index(model.revision, name));
  const checks = model.definitions.map(
    ({ name }) =>
      code`export function ${binding(`check${name}`)}(value: unknown): Issue[] {\nreturn check(${row(name)}, value);\n}`,
  );
  return { checks, keepers: listResults(model).map(({ type, member }) => keeper(type, member, row(type))) };
}

interface ListResult {
  readonly type: string;
  readonly member: string;
}

/** The results that hold the items of a page, each once. */
function listResults({ requests }: ProtocolModel): readonly ListResult[] {
  const found = new Map<string, ListResult>();
  for (const { pages, result } of requests)
    if (pages !== undefined) found.set(result.type, { type: result.type, member: pages });
  return [...found.values()];
}

function keeper(type: string, member: string, row: Code): Code {
  const doc = docComment({ text: `Keeps the valid \`${member}\` of a result that may have others.` });
  const name = binding(`keepValid${isPropertyName(member) ? upperFirst(member) : type}`);
  return code`${doc}export function ${name}(result: unknown): Kept<types.${typeName(type)}> {
return keepValid<types.${typeName(type)}>(${row}, ${literal(member)}, result);
}`;
}

/** Standard Schema objects of `standard-schema.ts`, by the name of their type. */
export function emitStandardSchemas(model: ProtocolModel): readonly Code[] {
  return model.definitions.map(({ name }) => {
    const type = typeName(name);
    return code`export const ${binding(`${name}Schema`)}: StandardSchema<types.${type}> = /* @__PURE__ */ standardSchema(is.${binding(`is${name}`)}, issues.${binding(`check${name}`)});`;
  });
}
