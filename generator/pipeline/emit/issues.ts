import type { ProtocolModel } from "../../shared/model/protocol.js";
import { isPropertyName } from "../../shared/names/identifier.js";
import { binding, code, data, docComment, literal, nothing, typeName, type Code } from "../../shared/code/code.js";
import { upperFirst } from "../../shared/names/case.js";
import { isFurther, shapeTable, type ShapeTable } from "./shape-table.js";

export interface IssuesView {
  readonly checks: readonly Code[];
  readonly keepers: readonly Code[];
  /** Standard Schema objects of `standard-schema.ts`, by the name of their type. */
  readonly schemas: readonly Code[];
}

/**
 * The rows of `shapes.ts`, and the declarations of each revision's `issues.ts` and `standard-schema.ts` that refer to
 * them.
 */
export function emitIssues(models: readonly ProtocolModel[]): {
  readonly rows: readonly Code[];
  /** Whether some rows need `check-further.ts`. */
  readonly further: boolean;
  readonly revisions: ReadonlyMap<string, IssuesView>;
} {
  const table = shapeTable(models);
  return {
    rows: table.rows.map(data),
    further: table.rows.some(isFurther),
    revisions: new Map(models.map((model) => [model.revision, issuesView(model, table)])),
  };
}

/** @param rows a last argument of each check, where the rows are not those of `shapes.ts` */
export function issuesView(model: ProtocolModel, table: ShapeTable, rows: Code = nothing): IssuesView {
  const row = (name: string): Code => literal(table.index(model.revision, name));
  const checks = model.definitions.map(
    ({ name }) => code`export const ${binding(`check${name}`)}: Check = (value) => check(${row(name)}, value${rows});`,
  );
  const schemas = model.definitions.map(
    ({ name }) =>
      code`export const ${binding(`${name}Schema`)}: StandardSchema<types.${typeName(name)}> = /* @__PURE__ */ standardSchema(is.${binding(`is${name}`)}, ${row(name)});`,
  );
  return {
    checks,
    keepers: listResults(model).map(({ type, member }) => keeper(type, member, row(type), rows)),
    schemas,
  };
}

interface ListResult {
  readonly type: string;
  readonly member: string;
}

/** The results that hold a page's items, each once. */
function listResults({ requests }: ProtocolModel): readonly ListResult[] {
  const found = new Map<string, ListResult>();
  for (const { pages, result } of requests)
    if (pages !== undefined) found.set(result.type, { type: result.type, member: pages });
  return [...found.values()];
}

function keeper(type: string, member: string, row: Code, rows: Code): Code {
  const doc = docComment({ text: `Removes invalid \`${member}\` from a result, and reports them.` });
  const name = binding(`keepValid${isPropertyName(member) ? upperFirst(member) : type}`);
  return code`${doc}export function ${name}(result: unknown): Kept<types.${typeName(type)}> {
return keepValid<types.${typeName(type)}>(${row}, ${literal(member)}, result${rows});
}`;
}
