import { findDeclaration } from "../../shared/model/find-declaration.js";
import type { Corrections } from "../../shared/fidelity/corrections.js";
import type { SourceModule, TypeExpression } from "../../shared/model/source.js";
import type { CompareSchemaFinding } from "./compare-schema-report.js";
import { printType } from "../../shared/model/print-type-expression.js";

/** Messages whose params lack, in both files, members that the specification requires for all params. */
export function findMissingCommonParams(
  printed: SourceModule,
  json: SourceModule,
  corrections: Corrections,
): readonly CompareSchemaFinding[] {
  return Object.values(corrections["common-params"] ?? {}).flatMap(({ from, to }) => {
    const common = from.slice(from.lastIndexOf("/") + 1);
    return to.flatMap((type): readonly CompareSchemaFinding[] => {
      const [said, shown] = [paramsOf(printed, type), paramsOf(json, type)];
      if (!said || !shown || [said, shown].some(({ members }) => members.some(({ name }) => name === common)))
        return [];
      return [
        {
          type,
          path: "params",
          schemaTs: printType(said),
          schemaJson: printType(shown),
          explanation: {
            kind: "correction",
            id: "common-params",
            sentence: "Inline params are declared without what the specification's text says all params carry.",
          },
          consequence: `Neither file says that ${common} may stand here, or what it has to look like.`,
          correction: `common-params: ${from}`,
        },
      ];
    });
  });
}

function paramsOf(module: SourceModule, name: string): Extract<TypeExpression, { kind: "object" }> | undefined {
  const declaration = findDeclaration(module, name);
  if (declaration?.kind !== "interface") return undefined;
  const type = declaration.members.find((member) => member.name === "params")?.type;
  return type?.kind === "object" ? type : undefined;
}
